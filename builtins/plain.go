package builtins

import (
	"fmt"
	"maps"
	"slices"
	"time"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// maxPlain is how many values one effect may carry. Parts that are shared in
// Starlark are copied in plain data, so that a small structure can become a
// huge one.
const maxPlain = 100_000

// ToPlain converts a Starlark value to plain data: nil, bool, int64, float64,
// string, []byte, time.Time in UTC, time.Duration, []any (lists, tuples, sets)
// or map[string]any (dicts, structs). Anything else is a [*ValueError]: ints
// beyond 64 bits, functions, cycles, keys that are no strings, nesting over 100
// and more than 100,000 values.
func ToPlain(v starlark.Value) (any, error) { return toPlain(v, "") }

// toPlain is ToPlain where messages call the value name.
func toPlain(v starlark.Value, name string) (any, error) {
	var c plainConverter
	plain, err := c.convert(v)
	return plain, within(name, err)
}

type plainConverter struct {
	lineage lineage
	count   int
}

func (c *plainConverter) convert(v starlark.Value) (any, error) {
	if c.count++; c.count > maxPlain {
		return nil, problemf("brings the whole to more than %d values", maxPlain)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		if i, ok := v.Int64(); ok {
			return i, nil
		}
		return nil, problemf("is an int that does not fit 64 bits")
	case starlark.Float:
		return float64(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Bytes:
		return []byte(v), nil
	case Moment:
		return time.Time(v).UTC(), nil
	case libtime.Time:
		return time.Time(v).UTC(), nil
	case libtime.Duration:
		return time.Duration(v), nil
	}
	if err := c.lineage.enter(v); err != nil {
		return nil, err
	}
	defer c.lineage.leave()
	switch v := v.(type) {
	case starlark.IterableMapping:
		return c.mapping(v)
	case *starlarkstruct.Struct:
		return c.structure(v)
	case starlark.Iterable:
		return c.sequence(v)
	}
	return nil, problemf("is a %s, which is no plain data", v.Type())
}

func (c *plainConverter) mapping(m starlark.IterableMapping) (any, error) {
	plain := make(map[string]any)
	for k, v := range starlark.Entries(m) {
		key, ok := k.(starlark.String)
		if !ok {
			return nil, problemf("has a key of type %s, want string", k.Type())
		}
		p, err := c.convert(v)
		if err != nil {
			return nil, within(atKey(string(key)), err)
		}
		plain[string(key)] = p
	}
	return plain, nil
}

func (c *plainConverter) structure(s *starlarkstruct.Struct) (any, error) {
	plain := make(map[string]any, s.Len())
	for name, v := range s.Entries() {
		p, err := c.convert(v)
		if err != nil {
			return nil, within(atKey(name), err)
		}
		plain[name] = p
	}
	return plain, nil
}

func (c *plainConverter) sequence(s starlark.Iterable) (any, error) {
	plain := []any{}
	for v := range starlark.Elements(s) {
		p, err := c.convert(v)
		if err != nil {
			return nil, within(atIndex(len(plain)), err)
		}
		plain = append(plain, p)
	}
	return plain, nil
}

// FromPlain converts plain data, of the types that [ToPlain] gives, to a fresh
// Starlark value. Maps become dicts with sorted keys.
func FromPlain(plain any) (starlark.Value, error) {
	return fromPlain(plain, func(keys []string, values []starlark.Value) starlark.Value {
		d := starlark.NewDict(len(keys))
		for i, k := range keys {
			d.SetKey(starlark.String(k), values[i]) // a string can be hashed, and the dict is not frozen
		}
		return d
	})
}

// StructFromPlain is [FromPlain] where maps become structs, so that scripts
// write answer.size.
func StructFromPlain(plain any) (starlark.Value, error) {
	return fromPlain(plain, func(keys []string, values []starlark.Value) starlark.Value {
		fields := make([]starlark.Tuple, len(keys))
		for i, k := range keys {
			fields[i] = starlark.Tuple{starlark.String(k), values[i]}
		}
		return starlarkstruct.FromKeywords(starlarkstruct.Default, fields)
	})
}

func fromPlain(plain any, object func([]string, []starlark.Value) starlark.Value) (starlark.Value, error) {
	switch p := plain.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(p), nil
	case int64:
		return starlark.MakeInt64(p), nil
	case float64:
		return starlark.Float(p), nil
	case string:
		return starlark.String(p), nil
	case []byte:
		return starlark.Bytes(p), nil
	case time.Time:
		return Moment(p.UTC()), nil
	case time.Duration:
		return libtime.Duration(p), nil
	case []any:
		values := make([]starlark.Value, len(p))
		for i, e := range p {
			v, err := fromPlain(e, object)
			if err != nil {
				return nil, err
			}
			values[i] = v
		}
		return starlark.NewList(values), nil
	case map[string]any:
		keys := slices.Sorted(maps.Keys(p))
		values := make([]starlark.Value, len(keys))
		for i, k := range keys {
			v, err := fromPlain(p[k], object)
			if err != nil {
				return nil, err
			}
			values[i] = v
		}
		return object(keys, values), nil
	}
	return nil, fmt.Errorf("the host answered with a %T, which is no plain data", plain)
}

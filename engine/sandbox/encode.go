package sandbox

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A tag says what comes next in encoded data.
type tag byte

const (
	tagNil tag = iota
	tagFalse
	tagTrue
	tagInt      // zigzag varint
	tagFloat    // eight bytes, IEEE 754, little endian
	tagString   // length as uvarint, bytes
	tagBytes    // the same
	tagTime     // seconds since 1970 as varint, nanoseconds as uvarint; UTC
	tagDuration // varint of nanoseconds
	tagList     // count as uvarint, values
	tagMap      // count as uvarint, keys as strings without a tag, each with its value; keys ascend
)

// appendValue appends plain data, or a value of a type made of it: structs,
// whose exported fields are a list; slices and maps by string of such; pointers
// to such, where nil is nil. Equal values have equal encodings.
func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, byte(tagNil)), nil
	case bool:
		return appendBool(dst, v), nil
	case int64:
		return binary.AppendVarint(append(dst, byte(tagInt)), v), nil
	case float64:
		return binary.LittleEndian.AppendUint64(append(dst, byte(tagFloat)), math.Float64bits(v)), nil
	case string:
		return append(appendLength(dst, tagString, len(v)), v...), nil
	case []byte:
		if v == nil {
			return append(dst, byte(tagNil)), nil
		}
		return append(appendLength(dst, tagBytes, len(v)), v...), nil
	case time.Time:
		dst = binary.AppendVarint(append(dst, byte(tagTime)), v.Unix())
		return binary.AppendUvarint(dst, uint64(v.Nanosecond())), nil
	case time.Duration:
		return binary.AppendVarint(append(dst, byte(tagDuration)), int64(v)), nil
	case []any:
		return appendList(dst, v)
	case map[string]any:
		return appendMap(dst, v)
	}
	return appendReflected(dst, reflect.ValueOf(v))
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, byte(tagTrue))
	}
	return append(dst, byte(tagFalse))
}

func appendLength(dst []byte, t tag, n int) []byte {
	return binary.AppendUvarint(append(dst, byte(t)), uint64(n))
}

func appendList(dst []byte, list []any) (_ []byte, err error) {
	if list == nil {
		return append(dst, byte(tagNil)), nil
	}
	dst = appendLength(dst, tagList, len(list))
	for _, e := range list {
		if dst, err = appendValue(dst, e); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendMap(dst []byte, m map[string]any) (_ []byte, err error) {
	if m == nil {
		return append(dst, byte(tagNil)), nil
	}
	dst = appendLength(dst, tagMap, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
		if dst, err = appendValue(dst, m[key]); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// appendReflected appends what is not plain data itself.
func appendReflected(dst []byte, v reflect.Value) (_ []byte, err error) {
	switch v.Type() {
	case timeType, durationType:
		return appendValue(dst, v.Interface())
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return append(dst, byte(tagNil)), nil
		}
		return appendValue(dst, v.Elem().Interface())
	case reflect.Bool:
		return appendBool(dst, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return appendValue(dst, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return appendValue(dst, int64(v.Uint())) // the bits, for what is over an int64
	case reflect.Float64:
		return appendValue(dst, v.Float())
	case reflect.String:
		return appendValue(dst, v.String())
	case reflect.Slice:
		return appendSlice(dst, v)
	case reflect.Map:
		return appendReflectedMap(dst, v)
	case reflect.Struct:
		return appendStruct(dst, v)
	}
	return nil, fmt.Errorf("%s is no plain data", v.Type())
}

func appendSlice(dst []byte, v reflect.Value) (_ []byte, err error) {
	switch {
	case v.IsNil():
		return append(dst, byte(tagNil)), nil
	case v.Type().Elem().Kind() == reflect.Uint8:
		return appendValue(dst, v.Bytes())
	}
	dst = appendLength(dst, tagList, v.Len())
	for i := range v.Len() {
		if dst, err = appendReflected(dst, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendReflectedMap(dst []byte, v reflect.Value) (_ []byte, err error) {
	switch {
	case v.IsNil():
		return append(dst, byte(tagNil)), nil
	case v.Type().Key().Kind() != reflect.String:
		return nil, fmt.Errorf("%s is no plain data", v.Type())
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	dst = appendLength(dst, tagMap, len(keys))
	for _, key := range keys {
		dst = append(binary.AppendUvarint(dst, uint64(key.Len())), key.String()...)
		if dst, err = appendReflected(dst, v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func appendStruct(dst []byte, v reflect.Value) (_ []byte, err error) {
	dst = appendLength(dst, tagList, v.NumField())
	for i := range v.NumField() {
		if dst, err = appendReflected(dst, v.Field(i)); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

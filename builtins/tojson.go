package builtins

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Encoding says how [AppendJSON] writes a value.
type Encoding struct {
	Name     string // what messages call the value: "result"
	MaxBytes int    // how long the JSON may be; 0: any length
	Indent   string // what each level is indented by; empty: all on one line
}

// A SizeError says that a value's JSON is longer than allowed.
type SizeError struct {
	Name  string // of the value
	Limit int    // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the JSON of %s is longer than %d bytes", e.Name, e.Limit)
}

// AppendJSON appends a value's JSON to dst in one pass.
//
// Dicts keep their order; lists, tuples, sets and other iterables are arrays,
// structs are objects. Ints keep every digit, floats their fraction (1.0).
// Times are RFC 3339 in UTC, durations Go's notation (1m30s). Bytes are
// strings; in them and in strings what is not UTF-8 becomes U+FFFD.
//
// NaN, infinities, cycles, functions, keys that are no strings, ints of more
// than 100,000 digits and nesting over 100 are a [*ValueError]. When the JSON
// grows over the limit, writing stops: the error is a [*SizeError], and the
// slice holds the JSON as far as the limit.
func AppendJSON(dst []byte, v starlark.Value, enc Encoding) ([]byte, error) {
	e := encoder{out: dst, start: len(dst), Encoding: enc}
	e.lineage = e.shallow[:0]
	e.each = e.entry
	if e.MaxBytes == 0 {
		e.MaxBytes = math.MaxInt - e.start
	}
	err := e.value(v)
	if err == nil {
		err = e.checkSize()
	}
	if _, ok := err.(*SizeError); ok {
		return e.out[:min(len(e.out), e.start+e.MaxBytes)], err
	}
	return e.out, within(enc.Name, err)
}

type encoder struct {
	Encoding
	out     []byte
	start   int // of the JSON, in out
	lineage lineage
	shallow [8]starlark.Value // what lineage is made of at first

	// Dicts hand their entries to a function. It is the same for all of them, so
	// that none has to be made for each, and leaves its error here.
	each func(k, v starlark.Value) bool
	err  error

	mended []string // keys of the innermost object that were not UTF-8
}

func (e *encoder) checkSize() error {
	if len(e.out)-e.start > e.MaxBytes {
		return &SizeError{Name: e.Name, Limit: e.MaxBytes}
	}
	return nil
}

func (e *encoder) value(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.NoneType:
		e.out = append(e.out, "null"...)
	case starlark.Bool:
		e.out = strconv.AppendBool(e.out, bool(v))
	case starlark.Int:
		return e.int(v)
	case starlark.Float:
		return e.float(float64(v))
	case starlark.String:
		return e.string(string(v))
	case starlark.Bytes:
		return e.string(string(v))
	case libtime.Duration:
		return e.string(v.String())
	case Moment:
		return e.time(time.Time(v))
	case libtime.Time:
		return e.time(time.Time(v))
	default:
		return e.container(v)
	}
	return nil
}

func (e *encoder) container(v starlark.Value) error {
	if err := e.lineage.enter(v); err != nil {
		return err
	}
	defer e.lineage.leave()
	switch v := v.(type) {
	case *starlark.Dict:
		return e.mapping(v)
	case *starlark.List:
		return e.indexable(v)
	case starlark.Tuple:
		return e.indexable(v)
	case *starlarkstruct.Struct:
		return e.structure(v)
	case *Result:
		return problemf("is a result; return it by itself, or as a part of result.content")
	case starlark.Callable:
		return problemf("is a function, which JSON cannot hold")
	case starlark.IterableMapping:
		return e.mapping(v)
	case starlark.Iterable:
		return e.iterable(v)
	}
	return problemf("is a %s, which JSON cannot hold", v.Type())
}

func (e *encoder) mapping(m starlark.IterableMapping) error {
	outer := e.mended
	e.mended = nil
	e.out = append(e.out, '{')
	if d, ok := m.(*starlark.Dict); ok {
		d.Entries()(e.each)
	} else {
		starlark.Entries(m)(e.each)
	}
	if e.err != nil {
		return e.err
	}
	if err := e.checkMended(func(key string) bool {
		_, found, err := m.Get(starlark.String(key))
		return found || err != nil
	}); err != nil {
		return err
	}
	e.mended = outer
	e.close('}')
	return nil
}

// checkMended refuses keys that were different and are the same in JSON, since
// what is not UTF-8 in them became U+FFFD: readers would see one of them, or
// refuse it all. has tells whether a key is there as it is.
func (e *encoder) checkMended(has func(key string) bool) error {
	slices.Sort(e.mended)
	for i, key := range e.mended {
		if has(key) || i > 0 && key == e.mended[i-1] {
			return problemf("has two keys that are both %q once what is not UTF-8 is replaced", key)
		}
	}
	return nil
}

// entry writes an entry of a dict, and tells whether to go on.
func (e *encoder) entry(k, v starlark.Value) bool {
	if key, ok := k.(starlark.String); ok {
		e.err = e.member(string(key), v)
	} else {
		e.err = problemf("has a key of type %s, and JSON's keys are strings", k.Type())
	}
	return e.err == nil
}

func (e *encoder) structure(s *starlarkstruct.Struct) error {
	outer := e.mended
	e.mended = nil
	e.out = append(e.out, '{')
	for i := range s.Len() {
		if err := e.member(s.AttrAt(i)); err != nil {
			return err
		}
	}
	if err := e.checkMended(func(key string) bool {
		v, err := s.Attr(key)
		return v != nil && err == nil
	}); err != nil {
		return err
	}
	e.mended = outer
	e.close('}')
	return nil
}

func (e *encoder) member(key string, v starlark.Value) error {
	if err := e.next(); err != nil {
		return err
	}
	if err := e.string(key); err != nil {
		return err
	}
	if !utf8.ValidString(key) {
		e.mended = append(e.mended, string([]rune(key)))
	}
	e.out = append(e.out, ':')
	if e.Indent != "" {
		e.out = append(e.out, ' ')
	}
	if err := e.value(v); err != nil {
		return within(atKey(key), err)
	}
	return nil
}

func (e *encoder) indexable(s starlark.Indexable) error {
	e.out = append(e.out, '[')
	for i := range s.Len() {
		if err := e.element(i, s.Index(i)); err != nil {
			return err
		}
	}
	e.close(']')
	return nil
}

func (e *encoder) iterable(s starlark.Iterable) error {
	e.out = append(e.out, '[')
	i := 0
	for v := range starlark.Elements(s) {
		if err := e.element(i, v); err != nil {
			return err
		}
		i++
	}
	e.close(']')
	return nil
}

func (e *encoder) element(i int, v starlark.Value) error {
	if err := e.next(); err != nil {
		return err
	}
	if err := e.value(v); err != nil {
		return within(atIndex(i), err)
	}
	return nil
}

// next goes on to the next part of a container.
func (e *encoder) next() error {
	if !e.justOpened() {
		e.out = append(e.out, ',')
	}
	e.newline(len(e.lineage))
	return e.checkSize()
}

// close ends a container.
func (e *encoder) close(bracket byte) {
	if !e.justOpened() {
		e.newline(len(e.lineage) - 1)
	}
	e.out = append(e.out, bracket)
}

// justOpened reports whether a container has begun and has no part yet: no
// part ends with an opening bracket.
func (e *encoder) justOpened() bool {
	last := e.out[len(e.out)-1]
	return last == '{' || last == '['
}

func (e *encoder) newline(depth int) {
	if e.Indent == "" {
		return
	}
	e.out = append(e.out, '\n')
	for range depth {
		e.out = append(e.out, e.Indent...)
	}
}

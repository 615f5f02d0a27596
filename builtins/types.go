package builtins

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

// Type is what a parameter takes. Values reach Call as they were given, except
// that durations and times arrive as such, whatever way they were written.
type Type uint8

const (
	Any      Type = iota // anything; None too
	Str                  // a string
	Bytes                // bytes
	Data                 // bytes or a string
	Int                  // an int that fits 64 bits
	Size                 // an int from 0 that fits 64 bits: a count, or a number of bytes
	Number               // an int or a float
	Bool                 // True or False
	Callable             // a function
	Dict                 // a dict
	Iterable             // a list, tuple, set or dict
	Duration             // a time.duration, a string such as "50ms", or a number of seconds
	Time                 // a time.time, or a string in RFC 3339
	Fields               // with Variadic: any further named arguments
)

// String says what the type takes, as messages and the reference do.
func (t Type) String() string { return typeNames[t] }

var typeNames = [...]string{
	Any:      "any value",
	Str:      "string",
	Bytes:    "bytes",
	Data:     "bytes or string",
	Int:      "int",
	Size:     "int",
	Number:   "int or float",
	Bool:     "bool",
	Callable: "function",
	Dict:     "dict",
	Iterable: "list, tuple, set or dict",
	Duration: "duration",
	Time:     "time",
	Fields:   "named arguments",
}

// accept returns v as Call is to get it.
func (t Type) accept(v starlark.Value) (starlark.Value, error) {
	switch t {
	case Any:
		return v, nil
	case Int, Size:
		if i, ok := v.(starlark.Int); ok {
			return i, t.checkInt(i)
		}
	case Duration:
		return acceptDuration(v)
	case Time:
		return acceptTime(v)
	default:
		if t.holds(v) {
			return v, nil
		}
	}
	return nil, t.mismatch(v)
}

// holds reports whether v's type alone makes it acceptable.
func (t Type) holds(v starlark.Value) bool {
	switch v := v.(type) {
	case starlark.String:
		return t == Str || t == Data
	case starlark.Bytes:
		return t == Bytes || t == Data
	case starlark.Int, starlark.Float:
		return t == Number
	case starlark.Bool:
		return t == Bool
	default:
		return t.holdsInterface(v)
	}
}

func (t Type) holdsInterface(v starlark.Value) bool {
	var ok bool
	switch t {
	case Callable:
		_, ok = v.(starlark.Callable)
	case Dict:
		_, ok = v.(*starlark.Dict)
	case Iterable:
		_, ok = v.(starlark.Iterable)
	}
	return ok
}

func (t Type) mismatch(v starlark.Value) error {
	return fmt.Errorf("got %s, want %s", v.Type(), t)
}

func (t Type) checkInt(i starlark.Int) error {
	n, ok := i.Int64()
	switch {
	case !ok:
		return fmt.Errorf("the int does not fit 64 bits")
	case t == Size && n < 0:
		return fmt.Errorf("got %d, want 0 or more", n)
	}
	return nil
}

const wantDuration = `a duration such as "50ms", "1.5s" or "1h30m", or a number of seconds`

func acceptDuration(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case libtime.Duration:
		return v, nil
	case starlark.String:
		d, err := time.ParseDuration(string(v))
		if err != nil {
			return nil, fmt.Errorf("%s is not %s", quoteShort(string(v)), wantDuration)
		}
		return libtime.Duration(d), nil
	case starlark.Int, starlark.Float:
		seconds, _ := starlark.AsFloat(v)
		ns := seconds * float64(time.Second)
		if !(math.Abs(ns) < math.MaxInt64) {
			return nil, fmt.Errorf("%s seconds are more than a duration holds (292 years)", v)
		}
		return libtime.Duration(math.Round(ns)), nil
	}
	return nil, fmt.Errorf("got %s, want %s", v.Type(), wantDuration)
}

func acceptTime(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case Moment:
		return v, nil
	case libtime.Time:
		return Moment(v), nil
	case starlark.String:
		return parseMoment(string(v), time.RFC3339, time.UTC)
	}
	return nil, fmt.Errorf("got %s, want a time, or a string such as %q", v.Type(), "2026-01-02T03:04:05Z")
}

// quoteShort quotes s for a message, and no more of it than helps.
func quoteShort(s string) string { return strconv.Quote(abbreviate(s)) }

func abbreviate(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

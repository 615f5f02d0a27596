package builtins

import (
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.starlark.net/starlark"
)

// maxDigits is how long an int may be: to write out millions of digits takes
// seconds, in which nothing can stop it.
const maxDigits = 100_000

func (e *encoder) int(i starlark.Int) error {
	if small, ok := i.Int64(); ok {
		e.out = strconv.AppendInt(e.out, small, 10)
		return nil
	}
	if tooLong(i) {
		return problemf("is an int of more than %d digits", maxDigits)
	}
	e.out = i.BigInt().Append(e.out, 10)
	return nil
}

// float writes f so that it is read as a float again.
func (e *encoder) float(f float64) error {
	switch {
	case math.IsNaN(f):
		return problemf("is NaN, which JSON cannot hold")
	case math.IsInf(f, 0):
		return problemf("is %s, which JSON cannot hold", starlark.Float(f))
	}
	from, format := len(e.out), byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	e.out = strconv.AppendFloat(e.out, f, format, -1, 64)
	for _, c := range e.out[from:] {
		if c == '.' || c == 'e' {
			return nil
		}
	}
	e.out = append(e.out, ".0"...)
	return nil
}

func (e *encoder) time(t time.Time) error {
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return problemf("is in the year %d, which RFC 3339 cannot hold", y)
	}
	e.out = append(e.out, '"')
	e.out = t.AppendFormat(e.out, time.RFC3339Nano)
	e.out = append(e.out, '"')
	return nil
}

// string writes s quoted. It stops at the limit, for s may be long.
func (e *encoder) string(s string) error {
	if room := e.MaxBytes - (len(e.out) - e.start); len(s) > room {
		e.out = appendQuoted(e.out, s[:max(room, 0)])
		return &SizeError{Name: e.Name, Limit: e.MaxBytes}
	}
	e.out = appendQuoted(e.out, s)
	return nil
}

// appendQuoted appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its only error is what has become U+FFFD
	return dst
}

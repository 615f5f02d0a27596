package builtins

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"
)

// boundedNumber bounds int and float, which need the square of the time to read
// twice the digits.
func boundedNumber(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		long := func(v starlark.Value) bool {
			s, ok := v.(starlark.String)
			return ok && len(s) > maxDigits
		}
		if slices.ContainsFunc(args, long) || slices.ContainsFunc(kwargs, func(kwarg starlark.Tuple) bool { return long(kwarg[1]) }) {
			return nil, digitsError(b.Name(), "the string has")
		}
		return original.CallInternal(thread, args, kwargs)
	}
}

// checkDigits refuses an int that takes long to write out.
func checkDigits(name string, i starlark.Int) error {
	if !tooLong(i) {
		return nil
	}
	return digitsError(name, "the value holds an int of")
}

// tooLong reports whether an int has more than maxDigits digits.
func tooLong(i starlark.Int) bool {
	if _, small := i.Int64(); small {
		return false
	}
	return float64(i.BigInt().BitLen())*math.Log10(2) > maxDigits
}

func digitsError(name, what string) error {
	return &LimitError{Reason: fmt.Sprintf("%s: %s more than %d digits, which is the limit", name, what, maxDigits)}
}

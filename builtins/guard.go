package builtins

import (
	"fmt"
	"runtime/debug"

	"go.starlark.net/starlark"
)

// A PanicError is a panic of a Go function that a script called: a fault of
// starmcp's own, or of a library's.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // of the goroutine then, as [debug.Stack] writes it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Recovered makes an error of what recover returned, and is called right there.
func Recovered(value any) error {
	return &PanicError{Value: value, Stack: debug.Stack()}
}

// goFunc is a function as the interpreter calls it.
type goFunc = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// guard lets fn fail with a [PanicError] where it panics. The interpreter adds
// to an error which calls in the script led to it; a panic would pass by it and
// take that along.
func guard(fn goFunc) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
		defer func() {
			if r := recover(); r != nil {
				v, err = nil, Recovered(r)
			}
		}()
		return fn(thread, b, args, kwargs)
	}
}

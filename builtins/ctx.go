package builtins

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Ctx is what every tool finds on ctx. Its effects, and the answers that a
// host gives to them:
//
//	now                                          time.Time
//	sleep  {duration time.Duration}              nil, when the time is over
//	log    {message string, fields map[string]any}   nil
var Ctx = &Module{
	Name: "ctx",
	Doc:  "The one way from a call to the world, the first argument of call. A part that needs a capability is there only if the tool's needs name that.",
	Funcs: []*Func{
		{
			Name:    "now",
			Doc:     "The time.",
			Returns: "A time.time in UTC.",
			Example: Example{`ctx.now()`, `2026-01-02 03:04:05 +0000 UTC`},
			Effect:  &Effect{Kind: "now"},
		},
		{
			Name:    "sleep",
			Doc:     "Waits. The time counts towards the call's timeout.",
			Params:  []Param{{Name: "duration", Type: Duration, Doc: `How long: "50ms", a time.duration, or a number of seconds.`}},
			Returns: "None.",
			Example: Example{`ctx.sleep("50ms")`, `None`},
			Effect:  &Effect{Kind: "sleep"},
		},
		{
			Name: "log",
			Doc:  "Writes to the server's log. The client does not see it.",
			Params: []Param{
				{Name: "message", Type: Str, Doc: "What happened."},
				{Name: "fields", Type: Fields, Variadic: true, Doc: "Further data: strings, numbers, lists, dicts, structs, times."},
			},
			Returns: "None.",
			Example: Example{`ctx.log("slow answer", host = "db1", ms = 1200)`, `None`},
			Effect:  &Effect{Kind: "log"},
		},
		{
			Name: "attempt",
			Doc: "Calls a function and catches a refused or failed effect in it, such as a missing file. " +
				"It does not catch fail, limits, the call's own timeout, cancellation, or mistakes in the script.",
			Params: []Param{
				{Name: "fn", Type: Callable, Doc: "An effect such as ctx.fs.read, or a function that uses some."},
				{Name: "args", Type: Any, Variadic: true, Doc: "Its arguments."},
				{Name: "kwargs", Type: Fields, Variadic: true, Doc: "Its named arguments."},
			},
			Returns: "A struct(ok, value, error).",
			Example: Example{`ctx.attempt(lambda: 6 * 7)`, `struct(error = None, ok = True, value = 42)`},
			Call:    attempt,
		},
	},
	Consts: []Const{
		{Name: "caller", Doc: "Who calls, as the server's authentication says. None where it says nothing."},
		{Name: "client", Doc: "What the client says of itself: struct(name, version). It proves nothing."},
		{Name: "tool", Doc: "The tool that is called: struct(name, read_only)."},
	},
	Shapes: []Shape{{
		Name: "The result of ctx.attempt",
		Doc:  "A struct.",
		Attrs: []Attr{
			{"ok", "bool, whether fn returned."},
			{"value", "what fn returned; None where it failed."},
			{"error", "None, or a struct of the next two."},
			{"error.kind", `string: "denied" (beyond the tool's needs), "not_found", "refused", "timeout", "too_big" or "failed".`},
			{"error.message", "string, for people."},
		},
	}},
}

// failedEffect is an error of an effect that was refused or has failed. The
// host's error type implements it, and nothing else does: it is what
// ctx.attempt catches.
type failedEffect interface {
	error
	FailedEffect() string // its kind
}

func attempt(thread *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	value, err := starlark.Call(thread, args[0], args[1].(starlark.Tuple), args[2].(*starlark.Dict).Items())
	if err == nil {
		return attempted(true, value, starlark.None), nil
	}
	var failed failedEffect
	if !errors.As(err, &failed) {
		return nil, err
	}
	return attempted(false, starlark.None, newStruct(
		"kind", starlark.String(failed.FailedEffect()),
		"message", starlark.String(failed.Error()),
	)), nil
}

func attempted(ok bool, value, err starlark.Value) starlark.Value {
	return newStruct("ok", starlark.Bool(ok), "value", value, "error", err)
}

// newStruct makes a struct of names and values in turn.
func newStruct(fields ...any) *starlarkstruct.Struct {
	pairs := make([]starlark.Tuple, 0, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		pairs = append(pairs, starlark.Tuple{starlark.String(fields[i].(string)), fields[i+1].(starlark.Value)})
	}
	return starlarkstruct.FromKeywords(starlarkstruct.Default, pairs)
}

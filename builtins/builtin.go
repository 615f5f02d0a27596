// Package builtins holds what a script can call, as data.
//
// A builtin is a description (name, parameters, result, one example) and either
// a Go function, where it is pure, or the effect that it asks the call's host
// for. The reference, editor stubs, "did you mean" and the values that scripts
// see are all made from that data; nothing is registered by side effect.
package builtins

import "go.starlark.net/starlark"

// A Module is a predeclared name (json, math) or a part of ctx (ctx.fs).
type Module struct {
	Name   string // as scripts write it; a dotted name is a part of ctx
	Doc    string // first sentence: what it is for
	Funcs  []*Func
	Consts []Const
}

// A Const is a value in a module, such as math.pi.
type Const struct {
	Name  string
	Doc   string
	Value starlark.Value
}

// A Func describes one builtin function. Exactly one of Call and Effect is set.
type Func struct {
	Name    string // without the module; empty where the module itself is called, as struct is
	Params  []Param
	Returns string // what it gives back, with units
	Doc     string // what it does, its limits and its errors
	Example Example

	// Call computes a pure builtin. args holds a value for each of Params in
	// their order, already checked against their types, nil where an optional
	// parameter without a default was left out.
	Call func(thread *starlark.Thread, args []starlark.Value) (starlark.Value, error)

	// Effect says what is asked of the call's host instead.
	Effect *Effect
}

// An Example is an expression and what it evaluates to, as repr prints it.
// Examples of effects are shown and not executed.
type Example struct {
	Code   string
	Result string
}

// An Effect says how a builtin reaches the world: as a request of plain data
// to the call's host. The builtin itself never performs it.
type Effect struct {
	Capability string // the needs key that offers it on ctx; empty: always offered
	Kind       string // the request's name at the seam, such as "fs.read"

	// Answer makes the script's value from the host's plain answer. args are the
	// arguments as for Call. Nil: the plain value as it is.
	Answer func(args []starlark.Value, answer any) (starlark.Value, error)
}

// A Param describes one parameter. In the request that an effect becomes, its
// value stands under Name as plain data.
type Param struct {
	Name     string
	Type     Type
	Doc      string
	Default  starlark.Value // nil: required, unless Optional
	Optional bool           // may be left out; Call then gets nil, a request lacks it
	Variadic bool           // the rest: positional as a tuple, or named as a dict where Type is Fields
	NameOnly bool           // must be given by name
}

// Type is the Starlark type that a parameter takes.
type Type uint8

const (
	Any      Type = iota
	Str           // a string
	Bytes         // bytes or a string
	Int           // an int that fits 64 bits
	Float         // an int or a float
	Bool          // True or False
	Callable      // a function
	Dict          // a dict
	Iterable      // a list, tuple, set or dict
	Duration      // a time.duration, a string such as "50ms", or a number of seconds
	Time          // a time.time, or a string in RFC 3339
	Fields        // with Variadic: any further named arguments
)

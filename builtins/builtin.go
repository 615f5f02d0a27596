package builtins

import "go.starlark.net/starlark"

// A Module is a predeclared name (json, math) or a part of ctx (ctx.fs).
type Module struct {
	Name   string // as scripts write it; a dotted name is a part of ctx
	Doc    string // first sentence: what it is for
	Funcs  []*Func
	Consts []Const
	Shapes []Shape // the values that its functions give, where they have attributes
}

// A Const is a value in a module, such as math.pi.
type Const struct {
	Name  string
	Doc   string
	Value starlark.Value // nil: differs from call to call, as ctx.caller does
}

// A Shape documents a kind of value by its attributes.
type Shape struct {
	Name  string // a heading: "A time.time", "The result of ctx.fs.stat"
	Doc   string
	Attrs []Attr
}

// An Attr is an attribute of a [Shape]. A method's name shows its parameters:
// "format(layout)".
type Attr struct {
	Name string
	Doc  string // its type, unit and meaning
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
	// parameter without a default was left out. Errors get the function's name
	// put before them.
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
	Capabilities []string // needs keys that each offer it on ctx; empty: always offered
	Kind         string   // the request's name at the seam, such as "fs.read"

	// Fixed holds arguments of the request that are no parameters, so that two
	// builtins can be one kind of request.
	Fixed map[string]any

	// Answer makes the script's value from the host's plain answer, or from
	// its error. args are the arguments as for Call. Nil: the answer through
	// [FromPlain], and errors as they are.
	Answer func(args []starlark.Value, answer any, err error) (starlark.Value, error)
}

// A Param describes one parameter. In the request that an effect becomes, its
// value stands under Name as plain data.
type Param struct {
	Name     string
	Type     Type
	Doc      string
	Default  starlark.Value // nil: required, unless Optional
	Optional bool           // may be left out or None; Call then gets nil, a request lacks it
	Variadic bool           // the rest: positional as a tuple, or named as a dict where Type is Fields
	NameOnly bool           // must be given by name
}

// required reports whether a call must give the parameter.
func (p *Param) required() bool {
	return p.Default == nil && !p.Optional && !p.Variadic
}

// FullName returns the function's name as scripts write it, such as json.decode.
func (f *Func) FullName(module *Module) string {
	if f.Name == "" {
		return module.Name
	}
	return module.Name + "." + f.Name
}

// offered reports whether a tool with some capabilities finds f on ctx.
func (f *Func) offered(has func(capability string) bool) bool {
	if f.Effect == nil || len(f.Effect.Capabilities) == 0 {
		return true
	}
	for _, c := range f.Effect.Capabilities {
		if has(c) {
			return true
		}
	}
	return false
}

package builtins

import (
	"fmt"
	"strings"

	"github.com/starmcp/starmcp/builtins/spell"
	"go.starlark.net/starlark"
)

// Perform hands an effect to the host of the call that thread runs. kind and
// args are the request; args is the callee's to keep. It returns the host's
// plain answer.
type Perform func(thread *starlark.Thread, f *Func, kind string, args map[string]any) (any, error)

// Bind makes the value that scripts call. Its name is dotted (json.decode).
// Pure functions ignore perform; without one, calling an effect is an error.
// A function that has not exactly one of Call and Effect panics.
func (f *Func) Bind(module *Module, perform Perform) *starlark.Builtin {
	sig := newSignature(f.FullName(module), f.Params)
	if (f.Call == nil) == (f.Effect == nil) {
		panic("builtins: " + sig.name + " needs exactly one of Call and Effect")
	}
	if f.Call != nil {
		return starlark.NewBuiltin(sig.name, guard(func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			values, err := sig.bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			v, err := f.Call(thread, values)
			return v, sig.explain(err)
		}))
	}
	return starlark.NewBuiltin(sig.name, guard(func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		values, err := sig.bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		if perform == nil {
			return nil, fmt.Errorf("%s: there is no host to ask here; effects belong into a tool's call", sig.name)
		}
		request, err := sig.request(f.Effect, values)
		if err != nil {
			return nil, err
		}
		answer, err := perform(thread, f, f.Effect.Kind, request)
		if f.Effect.Answer != nil {
			return f.Effect.Answer(values, answer, err)
		}
		if err != nil {
			return nil, err
		}
		return FromPlain(answer)
	}))
}

// A signature is what a call needs to know of the parameters, computed once.
type signature struct {
	name       string
	params     []Param
	positional int  // how many parameters can be given by position
	rest       int  // index of the variadic parameter; -1: none
	fields     int  // index of the one that takes further named arguments; -1: none
	rewrites   bool // Call may get other values than those given
}

func newSignature(name string, params []Param) *signature {
	s := &signature{name: name, params: params, rest: -1, fields: -1}
	for i, p := range params {
		switch {
		case p.Variadic && p.Type == Fields:
			s.fields = i
		case p.Variadic:
			s.rest = i
		case !p.NameOnly:
			s.positional++
		}
		if p.Optional || p.Type == Duration || p.Type == Time {
			s.rewrites = true
		}
	}
	return s
}

// bind sorts the arguments of a call to the parameters and checks their types.
// Arguments that are complete as they stand are used in place.
func (s *signature) bind(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	if len(kwargs) == 0 && len(args) == len(s.params) && s.positional == len(s.params) && !s.rewrites {
		return args, s.check(args)
	}
	values, err := s.sort(args, kwargs)
	if err != nil {
		return nil, err
	}
	return values, s.check(values)
}

// check checks the types of values, and rewrites those that Call is to get in
// another form.
func (s *signature) check(values []starlark.Value) error {
	for i := range s.params {
		p, v := &s.params[i], values[i]
		switch {
		case v == nil || p.Variadic:
			continue
		case v == starlark.None && p.Optional && p.Type != Any:
			values[i] = nil
			continue
		}
		v, err := p.Type.accept(v)
		if err != nil {
			return fmt.Errorf("%s: for parameter %s: %w", s.name, p.Name, err)
		}
		if s.rewrites {
			values[i] = v
		}
	}
	return nil
}

// sort gives each parameter its argument, or its default.
func (s *signature) sort(args starlark.Tuple, kwargs []starlark.Tuple) ([]starlark.Value, error) {
	values := make([]starlark.Value, len(s.params))
	rest, err := s.sortPositional(values, args)
	if err != nil {
		return nil, err
	}
	if s.rest >= 0 {
		values[s.rest] = rest
	}
	if err := s.sortNamed(values, kwargs); err != nil {
		return nil, err
	}
	var missing []string
	for i := range s.params {
		p := &s.params[i]
		if values[i] == nil {
			values[i] = p.Default
			if p.required() {
				missing = append(missing, p.Name)
			}
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("%s: missing %s", s.name, enumerate("argument", missing))
	}
	return values, nil
}

// sortPositional returns the arguments that are left for a variadic parameter.
func (s *signature) sortPositional(values []starlark.Value, args starlark.Tuple) (starlark.Tuple, error) {
	taken := 0
	for i := range s.params {
		if p := &s.params[i]; taken < len(args) && !p.Variadic && !p.NameOnly {
			values[i] = args[taken]
			taken++
		}
	}
	if taken < len(args) && s.rest < 0 {
		return nil, fmt.Errorf("%s: got %s, want %s", s.name, count(len(args), "positional argument"), s.atMost())
	}
	return args[taken:], nil
}

func (s *signature) sortNamed(values []starlark.Value, kwargs []starlark.Tuple) error {
	var fields *starlark.Dict
	if s.fields >= 0 {
		fields = new(starlark.Dict)
		values[s.fields] = fields
	}
	for _, kwarg := range kwargs {
		name, i := kwarg[0].(starlark.String), s.find(string(kwarg[0].(starlark.String)))
		switch {
		case i >= 0 && values[i] != nil:
			return fmt.Errorf("%s: got two values for parameter %s", s.name, name.GoString())
		case i >= 0:
			values[i] = kwarg[1]
		case fields == nil:
			return s.unknown(name.GoString())
		default:
			before := fields.Len()
			fields.SetKey(name, kwarg[1]) // a string, into a dict that is not frozen
			if fields.Len() == before {
				return fmt.Errorf("%s: got two values for parameter %s", s.name, name.GoString())
			}
		}
	}
	return nil
}

// find returns the index of the parameter that can be given by this name, or -1.
func (s *signature) find(name string) int {
	for i := range s.params {
		if s.params[i].Name == name && !s.params[i].Variadic {
			return i
		}
	}
	return -1
}

func (s *signature) unknown(name string) error {
	var names []string
	for _, p := range s.params {
		if !p.Variadic {
			names = append(names, p.Name)
		}
	}
	hint := ""
	switch near := spell.Nearest(name, names); {
	case near != "":
		hint = fmt.Sprintf(", did you mean %s?", near)
	case names == nil:
		hint = "; it takes no arguments"
	default:
		hint = "; it takes " + strings.Join(names, ", ")
	}
	return fmt.Errorf("%s: there is no parameter %s%s", s.name, name, hint)
}

func (s *signature) atMost() string {
	var named []string
	for _, p := range s.params {
		if p.NameOnly {
			named = append(named, p.Name+" =")
		}
	}
	if named == nil {
		return fmt.Sprintf("at most %d", s.positional)
	}
	return fmt.Sprintf("at most %d; others go by name: %s", s.positional, strings.Join(named, ", "))
}

// request makes the plain arguments of an effect.
func (s *signature) request(effect *Effect, values []starlark.Value) (map[string]any, error) {
	args := make(map[string]any, len(values)+len(effect.Fixed))
	for name, v := range effect.Fixed {
		args[name] = v
	}
	for i, v := range values {
		if v == nil {
			continue
		}
		plain, err := toPlain(v, s.params[i].Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		args[s.params[i].Name] = plain
	}
	return args, nil
}

// explain puts the function's name before an error, unless the error comes from
// a function that was called back: that one has a position of its own.
func (s *signature) explain(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := err.(*starlark.EvalError); ok {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// enumerate names what is missing: "argument x", "arguments x and y".
func enumerate(noun string, names []string) string {
	if last := len(names) - 1; last > 0 {
		return noun + "s " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return noun + " " + names[0]
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package builtins

import (
	"strings"

	"go.starlark.net/starlark"
)

// Pure returns the modules without effects. Every file can use them.
func Pure() []*Module {
	return []*Module{JSON, Math, Results, Struct, Times}
}

// Context returns what ctx is made of. The module named "ctx" is ctx itself,
// the others are its parts.
func Context() []*Module {
	return []*Module{Ctx, FS}
}

// Predeclared returns the names that the modules put into every file. Parts of
// ctx are not among them.
func Predeclared(modules []*Module) starlark.StringDict {
	names := make(starlark.StringDict, len(modules))
	for _, m := range modules {
		if !m.partOfContext() {
			names[m.Name] = m.Value()
		}
	}
	return names
}

func (m *Module) partOfContext() bool {
	return m.Name == "ctx" || strings.HasPrefix(m.Name, "ctx.")
}

// Value returns what scripts see of a pure module, frozen: its function, where
// the module itself is called, or an object with its functions and constants.
func (m *Module) Value() starlark.Value {
	if f := m.function(); f != nil {
		return f.Bind(m, nil)
	}
	return NewObject(m.Name, "module", m.attrs(m.Funcs, nil))
}

// function returns what is called where scripts call the module itself, or nil.
func (m *Module) function() *Func {
	for _, f := range m.Funcs {
		if f.Name == "" {
			return f
		}
	}
	return nil
}

func (m *Module) attrs(funcs []*Func, perform Perform) starlark.StringDict {
	attrs := make(starlark.StringDict)
	for _, f := range funcs {
		attrs[f.Name] = f.Bind(m, perform)
	}
	for _, c := range m.Consts {
		if c.Value != nil {
			attrs[c.Name] = c.Value
		}
	}
	return attrs
}

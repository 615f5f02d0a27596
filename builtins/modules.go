package builtins

import (
	"maps"
	"slices"
	"strconv"
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

// NewContext makes the ctx of a tool from those of modules that are parts of
// it. has tells which capabilities the tool needs: what needs another one is
// left out, and its use is an error that says what to add to needs. The values
// that differ from call to call (caller, client, tool) are not on it yet:
// [Object.With] adds them.
func NewContext(modules []*Module, has func(capability string) bool, perform Perform) *Object {
	attrs, withheld := make(starlark.StringDict), make(map[string]string)
	for _, m := range modules {
		name, isPart := strings.CutPrefix(m.Name, "ctx.")
		part := m.offer(has, perform)
		switch {
		case m.Name == "ctx":
			for i, n := range part.names {
				attrs[n] = part.values[i]
			}
			maps.Copy(withheld, part.withheld)
		case isPart && len(part.names) > 0:
			attrs[name] = part
		case isPart:
			withheld[name] = lacking(m.Capabilities())
		}
	}
	ctx := NewObject("ctx", "ctx", attrs)
	ctx.withheld = withheld
	return ctx
}

// offer returns a part of ctx as far as a tool is offered it.
func (m *Module) offer(has func(capability string) bool, perform Perform) *Object {
	var offered []*Func
	withheld := make(map[string]string)
	for _, f := range m.Funcs {
		if f.offered(has) {
			offered = append(offered, f)
		} else {
			withheld[f.Name] = lacking(f.Effect.Capabilities)
		}
	}
	part := NewObject(m.Name, m.Name, m.attrs(offered, perform))
	part.withheld = withheld
	return part
}

// Capabilities returns the needs keys that offer something of the module, in
// the order of its functions.
func (m *Module) Capabilities() []string {
	var all []string
	for _, f := range m.Funcs {
		if f.Effect == nil {
			continue
		}
		for _, c := range f.Effect.Capabilities {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// lacking says why something is not on ctx.
func lacking(capabilities []string) string {
	quoted := make([]string, len(capabilities))
	for i, c := range capabilities {
		quoted[i] = strconv.Quote(c)
	}
	return "the tool's needs lack " + strings.Join(quoted, " or ")
}

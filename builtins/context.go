package builtins

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// NewContext makes the ctx of a tool from those of modules that are parts of
// it. has tells which capabilities the tool needs: what needs another one is
// left out, and its use is an error that says what to add to needs. The values
// that differ from call to call (caller, client, tool) are not on it yet:
// [Object.With] adds them.
func NewContext(modules []*Module, has func(capability string) bool, perform Perform) *Object {
	attrs, withheld := make(starlark.StringDict), make(map[string]string)
	for _, m := range modules {
		if !m.partOfContext() {
			continue
		}
		part := m.offer(has, perform)
		switch name, isPart := strings.CutPrefix(m.Name, "ctx."); {
		case !isPart:
			for i, n := range part.names {
				attrs[n] = part.values[i]
			}
			maps.Copy(withheld, part.withheld)
		case len(part.names) > 0:
			attrs[name] = part
		default:
			withheld[name] = lacking(m.capabilities())
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

// capabilities returns the needs keys that offer something of the module, in
// the order of its functions.
func (m *Module) capabilities() []string {
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

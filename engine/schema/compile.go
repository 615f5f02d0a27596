package schema

import (
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// compiled is a schema ready for use, whether of input or of output.
type compiled struct {
	doc       *jsontree.Node // what the rules were read from
	root      *rule
	rules     map[string]*rule // by pointer
	library   func() (*jsonschema.Schema, error)
	published []byte
	warnings  []Fault
}

// compile reads effective, which is authored with what is implied. Faults point
// into authored. extra checks what only some schemas have to obey.
func compile(authored, effective jsontree.Node, extra func(*builder, *rule)) (*compiled, []Fault) {
	b := newBuilder(&effective)
	root := b.document()
	if root != nil && extra != nil {
		extra(b, root)
	}
	if len(b.faults) > 0 {
		// What a misspelt keyword should have said may be all that is missing.
		return nil, sorted(slices.Concat(b.faults, hiddenFaults(effective, b.faults), b.slips), &authored)
	}
	b.warnHosts(root)
	c := newCompiled(b, root)
	if b.early {
		if _, err := c.library(); err != nil {
			return nil, []Fault{{Message: err.Error()}}
		}
	}
	if faults := c.checkDefaults(); len(faults) > 0 {
		return nil, sorted(append(faults, b.slips...), &authored)
	}
	c.published = effective.AppendJSON(nil)
	c.warnings = sorted(append(b.warnings, b.slips...), &authored)
	return c, nil
}

// newCompiled makes rules ready for use. The library compiles the document when
// it is first asked about it, which for most tools is never: reading a thousand
// tools takes half the time so.
func newCompiled(b *builder, root *rule) *compiled {
	c := &compiled{doc: b.doc, root: root, rules: b.rules}
	c.library = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileLibrary(c.doc, "") })
	c.markFills()
	c.markHides()
	return c
}

// hiddenFaults finds the defaults that are refused beside other faults, by the
// schema without what is at fault.
func hiddenFaults(doc jsontree.Node, faults []Fault) []Fault {
	doc = doc.Clone()
	for _, f := range faults {
		if f.Pointer == "" {
			return nil
		}
		without(&doc, tokens(f.Pointer))
	}
	b := newBuilder(&doc)
	root := b.document()
	if len(b.faults) > 0 {
		return nil
	}
	return newCompiled(b, root).checkDefaults()
}

// without removes from a schema the keyword that a path leads to or into. A
// property's schema that is none becomes one that accepts everything.
func without(doc *jsontree.Node, path []string) {
	last := len(path) - 1
	parent, ok := find(doc, path[:last])
	switch {
	case !ok:
	case parent.Kind == jsontree.Array && last > 0:
		without(doc, path[:last])
	case last > 0 && (path[last-1] == "properties" || path[last-1] == "$defs"):
		parent.Set(path[last], jsontree.Node{Kind: jsontree.True})
	default:
		parent.Delete(path[last])
	}
}

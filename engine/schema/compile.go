package schema

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// compiled is a schema ready for use, whether of input or of output.
type compiled struct {
	root      *rule
	rules     map[string]*rule // by pointer
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
		return nil, sorted(append(b.faults, hiddenFaults(effective, b.faults)...), &authored)
	}
	b.warnHosts(root)
	c := &compiled{root: root, rules: b.rules, published: effective.AppendJSON(nil), warnings: sorted(b.warnings, &authored)}
	if err := c.complete(effective); err != nil {
		return nil, []Fault{{Message: fmt.Sprintf("the schema cannot be used: %v", err)}}
	}
	if faults := c.checkDefaults(); len(faults) > 0 {
		return nil, sorted(faults, &authored)
	}
	return c, nil
}

// complete makes rules ready for use.
func (c *compiled) complete(doc jsontree.Node) error {
	if err := c.useLibrary(doc); err != nil {
		return err
	}
	c.markFills()
	c.markHides()
	return nil
}

// hiddenFaults finds the defaults that are refused beside other faults, which
// keep the library from compiling the schema: without what is at fault.
func hiddenFaults(doc jsontree.Node, faults []Fault) []Fault {
	doc = doc.Clone()
	for _, f := range faults {
		if f.Pointer == "" {
			return nil
		}
		without(&doc, tokens(f.Pointer))
	}
	b := newBuilder(&doc)
	c := &compiled{root: b.document(), rules: b.rules}
	if len(b.faults) > 0 || c.complete(doc) != nil {
		return nil
	}
	return c.checkDefaults()
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

// useLibrary compiles the document with the jsonschema library, and gives the
// results to the rules that need one of their own.
func (c *compiled) useLibrary(doc jsontree.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the validator gave up: %v", r)
		}
	}()
	lib := jsonschema.NewCompiler()
	lib.AssertFormat()
	lib.UseLoader(nil) // nothing is ever fetched
	if err := lib.AddResource(baseURI, doc.Any()); err != nil {
		return err
	}
	for pointer, r := range c.rules {
		if r == c.root || r.format != "" || r.def != nil {
			if r.lib, err = lib.Compile(baseURI + "#" + url.PathEscape(pointer)); err != nil {
				return err
			}
		}
	}
	return nil
}

// at returns the rule that the library calls by this location, or nil.
func (c *compiled) at(location string) *rule {
	_, fragment, _ := strings.Cut(location, "#")
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil
	}
	return c.rules[pointer]
}

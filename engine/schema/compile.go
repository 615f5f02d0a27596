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
		return nil, sorted(b.faults, &authored)
	}
	b.warnHosts(root)
	c := &compiled{
		root: root, rules: b.rules,
		published: effective.AppendJSON(nil),
		warnings:  sorted(b.warnings, &authored),
	}
	if err := c.useLibrary(effective, b.draft07); err != nil {
		return nil, []Fault{{Message: fmt.Sprintf("the schema cannot be used: %v", err)}}
	}
	c.markFills()
	c.markHides()
	if faults := c.checkDefaults(); len(faults) > 0 {
		return nil, sorted(faults, &authored)
	}
	return c, nil
}

// useLibrary compiles the document with the jsonschema library, and gives the
// results to the rules that need one of their own.
func (c *compiled) useLibrary(doc jsontree.Node, draft07 bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the validator gave up: %v", r)
		}
	}()
	lib := jsonschema.NewCompiler()
	lib.AssertFormat()
	lib.UseLoader(nil) // nothing is ever fetched
	if draft07 {
		lib.DefaultDraft(jsonschema.Draft7)
	}
	if err := lib.AddResource(baseURI, doc.Any()); err != nil {
		return err
	}
	exotic := false
	for _, r := range c.rules {
		exotic = exotic || r.exotic
	}
	for pointer, r := range c.rules {
		if r == c.root || r.format != "" || r.def != nil || exotic {
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

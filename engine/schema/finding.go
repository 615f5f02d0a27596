package schema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A finding is what the library holds against a value, with the findings that
// it follows from. Findings stand in the document's order, and at one place in
// the schema's: the library walks maps, and its order is a new one each time.
type finding struct {
	kind   jsonschema.ErrorKind
	rule   *rule    // whose keyword it is; never nil
	path   []string // to the value
	place  place    // the same
	causes []*finding
}

// findings puts the library's error about a document in order.
func (c *compiled) findings(err error, doc *jsontree.Node) *finding {
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return &finding{kind: &kind.Not{}, rule: c.root}
	}
	return c.finding(failed, &places{doc: doc})
}

func (c *compiled) finding(e *jsonschema.ValidationError, at *places) *finding {
	f := &finding{kind: e.ErrorKind, rule: c.at(e.SchemaURL), path: e.InstanceLocation}
	if f.rule == nil { // not a schema of ours, so nothing can be told of it
		f.rule, f.kind = c.root, &kind.Not{}
	}
	if names, ok := f.kind.(*kind.PropertyNames); ok {
		f.path = at.holder(names.Property, len(f.path))
	} else {
		for _, cause := range e.Causes {
			f.causes = append(f.causes, c.finding(cause, at))
		}
	}
	f.place = at.at(f.path)
	if f.isConjunction() {
		slices.SortStableFunc(f.causes, compareFindings)
	}
	return f
}

// compareFindings compares findings that do not exclude each other.
func compareFindings(x, y *finding) int {
	if c := slices.Compare(x.place, y.place); c != 0 {
		return c
	}
	if c := cmp.Compare(x.rule.order, y.rule.order); c != 0 {
		return c
	}
	return cmp.Compare(subject(x.kind), subject(y.kind))
}

// subject names the member that a finding is about, where a keyword of one
// schema can be broken once for each member.
func subject(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.PropertyNames:
		return k.Property
	case *kind.DependentRequired:
		return k.Prop
	case *kind.Dependency:
		return k.Prop
	}
	return fmt.Sprintf("%T", k)
}

// isConjunction tells whether all causes must go for the finding to go.
func (f *finding) isConjunction() bool {
	switch f.kind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		return true
	}
	return false
}

// isChoice tells whether it is enough that one of the causes goes.
func (f *finding) isChoice() bool {
	switch k := f.kind.(type) {
	case *kind.AnyOf, *kind.Contains, *kind.MinContains:
		return true
	case *kind.OneOf:
		return k.Subschemas == nil
	}
	return false
}

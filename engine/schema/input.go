package schema

import (
	"slices"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// policies are the keywords with which a schema says, or composes, what members
// an object may have beyond its properties.
var policies = []string{
	"additionalProperties", "unevaluatedProperties", "patternProperties",
	"allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "dependentSchemas", "dependencies",
}

// imply returns a tool's input schema with what its author left unsaid. The
// author's keys keep their order; "type" comes before them, the rest after.
func imply(doc jsontree.Node) jsontree.Node {
	out := jsontree.Node{Kind: jsontree.Object}
	if _, ok := doc.Get("type"); !ok {
		out.Set("type", jsontree.Node{Kind: jsontree.String, Text: "object"})
	}
	out.Names = append(out.Names, doc.Names...)
	out.Items = append(out.Items, doc.Items...)
	if _, ok := doc.Get("properties"); !ok {
		out.Set("properties", jsontree.Node{Kind: jsontree.Object})
	}
	if !slices.ContainsFunc(policies, func(name string) bool { _, ok := doc.Get(name); return ok }) {
		out.Set("additionalProperties", jsontree.Node{Kind: jsontree.False})
	}
	return out
}

// inputRoot checks what only the schema of a tool's arguments has to obey.
func inputRoot(b *builder, root *rule) {
	t, ok := root.doc.Get("type")
	if ok && t.Kind == jsontree.String && (t.Text == "object" || kindOf(t.Text) == 0) {
		ok = false // right, or reported already
	}
	if ok {
		b.faultf("/type", `leave it out, or write "object"`, `arguments are always an object, so the type of an input schema is "object"`)
	}
	b.checkHeaders(root)
}

// propertiesOf lists the properties at the root, and whether others can pass.
func propertiesOf(root *rule) (list []Property, open bool) {
	s := surveyed(root)
	filled := jsontree.Node{Kind: jsontree.Object}
	new(filler).fill(root, &filled)
	for _, name := range s.names {
		_, hasDefault := filled.Get(name)
		list = append(list, Property{
			Name: name, Required: s.required[name], Default: hasDefault, WriteOnly: s.writeOnly[name],
		})
	}
	return list, s.open
}

// A survey gathers what the rules about one object say of its members.
type survey struct {
	names     []string
	required  map[string]bool
	writeOnly map[string]bool
	open      bool
}

func surveyed(r *rule) survey {
	s := survey{required: make(map[string]bool), writeOnly: make(map[string]bool), open: true}
	s.visit(r, true)
	return s
}

// names lists the properties that r and the rules in place know.
func (r *rule) names() []string { return surveyed(r).names }

// visit adds a rule; holds tells whether it holds for every valid object.
func (s *survey) visit(r *rule, holds bool) {
	for _, p := range r.properties {
		if !slices.Contains(s.names, p.name) {
			s.names = append(s.names, p.name)
		}
		p.rule.chain(func(c *rule) bool {
			s.writeOnly[p.name] = s.writeOnly[p.name] || c.writeOnly
			return true
		})
	}
	if holds {
		for _, name := range r.required {
			s.required[name] = true
		}
		if r.closed() {
			s.open = false
		}
	}
	for _, next := range r.inPlace() {
		if next != r.not {
			s.visit(next, holds && (next == r.ref || slices.Contains(r.allOf, next)))
		}
	}
}

// closed tells whether an object that r accepts has r's own properties alone.
func (r *rule) closed() bool {
	if len(r.patterns) > 0 {
		return false
	}
	if r.additional != nil {
		return r.additional.never
	}
	v, ok := r.doc.Get("unevaluatedProperties")
	return ok && v.Kind == jsontree.False && len(r.inPlace()) == 0
}

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// advise adds what an agent can do about a fault.
func (t *teller) advise(fault *told) {
	switch fault.finding.kind.(type) {
	case *kind.Required, *kind.DependentRequired, *kind.Dependency:
		if sent := t.sentInstead(fault); sent != "" {
			fault.Hint = fmt.Sprintf("%s was sent; is that what it was meant to be?", shorten(sent))
		}
	case *kind.Type, *kind.Enum, *kind.Const:
		fault.Hint = t.nullHint(fault)
	}
	if fault.known == nil {
		return
	}
	switch near := nearest(fault.path[len(fault.path)-1], fault.known); {
	case near != "":
		fault.DidYouMean = near
	case len(fault.known) == 0:
		fault.Hint = "no " + t.word(fault.path) + " is known"
	default:
		fault.Hint = "known: " + strings.Join(fault.known[:min(len(fault.known), maxListed)], ", ")
	}
}

// sentInstead returns the member that was probably meant to be the missing one,
// of those that no property is about.
func (t *teller) sentInstead(fault *told) string {
	last := len(fault.path) - 1
	n, ok := find(t.doc, fault.path[:last])
	if !ok {
		return ""
	}
	known := fault.finding.rule.names()
	if r := t.c.ruleAt(fault.path[:last]); r != nil {
		known = append(known, r.names()...)
	}
	var unknown []string
	for _, sent := range n.Names[:min(len(n.Names), maxListed)] {
		if !slices.Contains(known, sent) {
			unknown = append(unknown, sent)
		}
	}
	return nearest(fault.path[last], unknown)
}

// nullHint helps where an agent says null for an optional member, or says it in
// words.
func (t *teller) nullHint(fault *told) string {
	n, ok := find(t.doc, fault.path)
	if !ok || len(fault.path) == 0 {
		return ""
	}
	last := len(fault.path) - 1
	name := fault.path[last]
	holder := t.c.ruleAt(fault.path[:last])
	if holder == nil || holder.byName[name] == nil || slices.Contains(holder.required, name) {
		return ""
	}
	omit := "omit the " + t.word(fault.path)
	inWords := n.Kind == jsontree.String && slices.Contains([]string{"null", "None", "nil", "undefined"}, n.Text)
	switch {
	case inWords && fault.finding.rule.kinds&isNull != 0:
		return "for no value, send null without quotes or " + omit
	case inWords || n.Kind == jsontree.Null:
		return "to leave it unset, " + omit
	}
	return ""
}

// ruleAt returns a rule for the value at path: the first that properties, items
// and references lead to. It is nil where they lead nowhere.
func (c *compiled) ruleAt(path []string) *rule {
	r := c.root
	for _, token := range path {
		var next *rule
		for s := range r.chain {
			if next = s.byName[token]; next == nil {
				next = s.items
			}
			if next != nil {
				break
			}
		}
		if next == nil {
			return nil
		}
		r = next
	}
	for r.ref != nil && r.byName == nil {
		r = r.ref
	}
	return r
}

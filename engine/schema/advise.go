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
		fault.Hint = t.valueHint(fault)
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

// valueHint helps where an agent says null for an optional member, or says it
// in words, and where it means to send JSON in a string.
func (t *teller) valueHint(fault *told) string {
	n, ok := find(t.doc, fault.path)
	if !ok || len(fault.path) == 0 {
		return ""
	}
	kinds := fault.finding.rule.kinds
	inWords := n.Kind == jsontree.String && slices.Contains([]string{"null", "None", "nil", "undefined"}, n.Text)
	switch omit := "omit the " + t.word(fault.path); {
	case n.Kind == jsontree.String && (kinds&isArray != 0 && strings.HasPrefix(n.Text, "[") || kinds&isObject != 0 && strings.HasPrefix(n.Text, "{")):
		return jsonHint(n, kinds)
	case !inWords && n.Kind != jsontree.Null || !t.isOptional(fault.path):
		return ""
	case inWords && kinds&isNull != 0:
		return "for no value, send null without quotes or " + omit
	default:
		return "to leave it unset, " + omit
	}
}

// jsonHint helps where a string is in the place of the array or object that it
// looks like.
func jsonHint(n *jsontree.Node, kinds kinds) string {
	switch _, ok, err := convert(n, kinds&(isArray|isObject)); {
	case err != nil:
		return "the string holds JSON beyond what is read; send it as it is, without quotes"
	case ok:
		return "send the JSON in the string as it is, without quotes"
	}
	return "the string holds no valid JSON"
}

// isOptional tells whether a known member may be missing.
func (t *teller) isOptional(path []string) bool {
	last := len(path) - 1
	holder := t.c.ruleAt(path[:last])
	return holder != nil && holder.byName[path[last]] != nil && !slices.Contains(holder.required, path[last])
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

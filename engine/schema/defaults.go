package schema

import (
	"context"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A filler adds defaults to a document.
type filler struct {
	added int // values
	depth int // of defaults within defaults
	steps int
	over  bool // a bound was hit, and the document is incomplete
}

const (
	// maxFilled bounds the values that defaults add to one document.
	maxFilled = 100_000
	// maxFillDepth bounds how deep defaults fill defaults.
	maxFillDepth = 64
	// maxFillSteps bounds the visits that filling takes.
	maxFillSteps = 1_000_000
)

// fill adds what is missing in n and has a default: through properties, items
// and references, parents first, only in objects that are there or came from a
// default. Each value is a fresh one.
func (f *filler) fill(r *rule, n *jsontree.Node) {
	for ; r != nil && !f.over; r = r.ref {
		f.steps++
		f.over = f.over || f.steps > maxFillSteps
		switch {
		case !r.fills:
			return
		case n.Kind == jsontree.Object:
			f.object(r, n)
		case n.Kind == jsontree.Array && r.items != nil && r.items.fills:
			for i := len(r.prefix); i < len(n.Items); i++ {
				f.fill(r.items, &n.Items[i])
			}
		}
	}
}

func (f *filler) object(r *rule, n *jsontree.Node) {
	for _, p := range r.properties {
		if member, ok := n.Get(p.name); ok {
			f.fill(p.rule, member)
			continue
		}
		def := p.rule.ownDefault()
		if def == nil {
			continue
		}
		value := def.Clone()
		added, _ := size(&value)
		f.added += added
		f.depth++
		if f.over = f.over || f.added > maxFilled || f.depth > maxFillDepth; f.over {
			return
		}
		f.fill(p.rule, &value)
		f.depth--
		n.Set(p.name, value)
	}
}

// ownDefault returns the default of a rule, or of what it refers to.
func (r *rule) ownDefault() *jsontree.Node {
	for ; r != nil; r = r.ref {
		if r.def != nil {
			return r.def
		}
	}
	return nil
}

// markFills finds the rules below which there are defaults to fill in.
func (c *compiled) markFills() {
	for changed := true; changed; {
		changed = false
		for _, r := range c.rules {
			if !r.fills && r.hasDefaultsBelow() {
				r.fills, changed = true, true
			}
		}
	}
}

func (r *rule) hasDefaultsBelow() bool {
	for _, p := range r.properties {
		if p.rule.fills || p.rule.ownDefault() != nil {
			return true
		}
	}
	return r.items != nil && r.items.fills || r.ref != nil && r.ref.fills
}

// checkDefaults finds defaults that could be filled in and that their own
// schema refuses.
func (c *compiled) checkDefaults() (faults []Fault) {
	reached := make(map[*rule]bool)
	var visit func(r *rule)
	visit = func(r *rule) {
		if r == nil || reached[r] {
			return
		}
		reached[r] = true
		if r.def != nil {
			faults = append(faults, c.checkDefault(r)...)
		}
		for _, p := range r.properties {
			visit(p.rule)
		}
		visit(r.items)
		visit(r.ref)
	}
	visit(c.root)
	return faults
}

func (c *compiled) checkDefault(r *rule) []Fault {
	at := child(r.pointer, "default")
	value := r.def.Clone()
	var f filler
	f.fill(r, &value)
	if f.over {
		return []Fault{{Pointer: at, Message: "the defaults in this default have no end"}}
	}
	if new(judge).judge(r, &value) == valid {
		return nil
	}
	effort := newEffort(context.Background(), &value)
	defer effort.done()
	found, err := c.checkRule(r, &value, effort)
	if err != nil {
		return []Fault{{Pointer: at, Message: "the default cannot be checked: " + about(err, "the default").Error()}}
	}
	if found == nil {
		return nil
	}
	hint := "change the default or the schema"
	if r.def.Kind == jsontree.Null {
		hint = "leave the default out, and give call's parameter the default None"
	}
	var faults []Fault
	refusals, _ := c.explain(found, &value)
	for _, fault := range refusals {
		where := at
		if _, ok := find(r.def, tokens(fault.Pointer)); ok {
			where += fault.Pointer
		}
		faults = append(faults, Fault{Pointer: where, Message: "the default is refused by its own schema: " + fault.reason(), Hint: hint})
	}
	return faults
}

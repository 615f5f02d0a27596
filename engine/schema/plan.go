package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// An edit mends one value of a document.
type edit struct {
	place place
	path  []string
	to    jsontree.Node
	drop  bool // the member goes instead
	clamp bool // to is the maximum, and not another reading of the value
}

// A plan is a set of edits that could make the findings go away, in the
// document's order.
type plan struct {
	edits []edit
	open  []place // of findings that no edit is about, and that an edit there, or within, may settle
}

// plans returns the ways to settle a finding, those that the schema names first
// coming first. There is none where one of the faults has no remedy.
func (m *mender) plans(f *finding) []plan {
	switch f.kind.(type) {
	case *kind.Type:
		if plans := m.conversion(f, f.rule.kinds); plans != nil {
			return plans
		}
		return m.clamping(f)
	case *kind.Enum:
		return m.otherType(f, kindsOf(f.rule.enum))
	case *kind.Const:
		return m.otherType(f, kindsOf([]jsontree.Node{*f.rule.constant}))
	case *kind.Maximum:
		if plans := m.clamping(f); plans != nil {
			return plans
		}
	case *kind.Required, *kind.AdditionalProperties, *kind.PropertyNames:
		return nil
	case *kind.FalseSchema:
		if !f.isUnevaluated() {
			return nil
		}
		// What is unevaluated follows from the schemas that failed beside it.
		return []plan{{open: []place{f.place[:len(f.place)-1]}}}
	}
	switch {
	case f.isConjunction():
		return m.all(f.causes)
	case f.isChoice():
		return m.any(f.causes)
	}
	return []plan{{open: []place{f.place}}}
}

// maxEdits bounds the edits of all plans together.
const maxEdits = 200_000

// all combines the plans for findings that must all go.
func (m *mender) all(findings []*finding) []plan {
	limit := max(1, min(maxTries, maxEdits/max(1, len(findings))))
	plans := []plan{{edits: make([]edit, 0, len(findings))}}
	for _, f := range findings {
		ways := m.plans(f)
		if len(ways) == 0 {
			return nil
		}
		plans = combine(plans, ways, limit)
	}
	return plans
}

// combine returns each plan with each of the ways, the first plan's first, as
// far as the limit. Once there are that many plans, each goes on in one way,
// the first plan in the first one.
func combine(plans, ways []plan, limit int) []plan {
	limit = max(1, min(limit, maxEdits/max(1, plans[0].size()+ways[0].size())))
	plans = plans[:min(len(plans), limit)]
	if len(ways) == 1 || len(plans) >= limit {
		for i := range plans {
			plans[i] = plans[i].and(ways[min(i, len(ways)-1)])
		}
		return plans
	}
	var out []plan
	for _, p := range plans {
		for _, w := range ways {
			if len(out) < limit {
				out = append(out, plan{slices.Clone(p.edits), slices.Clone(p.open)}.and(w))
			}
		}
	}
	return out
}

func (p plan) size() int { return len(p.edits) + len(p.open) }

func (p plan) and(w plan) plan {
	return plan{append(p.edits, w.edits...), append(p.open, w.open...)}
}

// any gathers the plans for findings of which one must go. A branch whose
// faults its edits cannot settle is left out: a value's kind that is another
// branch's, say.
func (m *mender) any(findings []*finding) []plan {
	var out []plan
	for _, f := range findings {
		for _, p := range m.plans(f) {
			known := slices.ContainsFunc(out, func(q plan) bool { return slices.EqualFunc(p.edits, q.edits, sameEdit) })
			if !known && p.settles() {
				out = append(out, p)
			}
			if len(out) == maxTries {
				return out
			}
		}
	}
	return out
}

func sameEdit(x, y edit) bool {
	return slices.Equal(x.place, y.place) && x.drop == y.drop && x.clamp == y.clamp && same(&x.to, &y.to)
}

// settles tells whether there is an edit for, or within the place of, every
// finding.
func (p plan) settles() bool {
	if len(p.open) == 0 {
		return true
	}
	edited := make([]place, len(p.edits))
	for i, e := range p.edits {
		edited[i] = e.place
	}
	slices.SortFunc(edited, slices.Compare)
	for _, at := range p.open {
		i, _ := slices.BinarySearchFunc(edited, at, slices.Compare[place])
		if i == len(edited) || !at.holds(edited[i]) {
			return false
		}
	}
	return true
}

func (p plan) clamps() bool {
	return slices.ContainsFunc(p.edits, func(e edit) bool { return e.clamp })
}

// otherType is for a value that is none of those listed. Where none of them has
// its type, the type is what is wrong.
func (m *mender) otherType(f *finding, wanted kinds) []plan {
	if n := f.place.in(m.doc); n != nil && !wanted.has(n) {
		return m.conversion(f, wanted)
	}
	return []plan{{open: []place{f.place}}}
}

func kindsOf(values []jsontree.Node) kinds {
	var set kinds
	for _, v := range values {
		switch v.Kind {
		case jsontree.Null:
			set |= isNull
		case jsontree.True, jsontree.False:
			set |= isBoolean
		case jsontree.Number:
			set |= isNumber
		case jsontree.String:
			set |= isString
		case jsontree.Array:
			set |= isArray
		case jsontree.Object:
			set |= isObject
		}
	}
	return set
}

// conversion reads a value of the wrong type in another way, or takes null for
// a member as its absence.
func (m *mender) conversion(f *finding, wanted kinds) []plan {
	n := f.place.in(m.doc)
	if n == nil || m.done[pathKey(f.path)] {
		return nil
	}
	e := edit{place: f.place, path: f.path}
	if n.Kind == jsontree.Null {
		if e.drop = m.isMember(f.place); !e.drop {
			return nil
		}
		return []plan{{edits: []edit{e}}}
	}
	to, ok, err := convert(n, wanted)
	if err != nil && m.err == nil {
		m.err = err
	}
	if !ok {
		return nil
	}
	e.to = to
	return []plan{{edits: []edit{e}}}
}

// isMember tells whether what stands at p is a member of an object.
func (m *mender) isMember(p place) bool {
	return len(p) > 0 && p[:len(p)-1].in(m.doc).Kind == jsontree.Object
}

// clamping lowers a top-level number that is over its maximum to it: an integer
// too that is over it by a fraction. It leaves alone what travels in a header,
// where it was seen already.
func (m *mender) clamping(f *finding) []plan {
	if len(f.path) != 1 || f.rule.maximum == nil || m.clamped[f.path[0]] {
		return nil
	}
	n, ok := m.doc.Get(f.path[0])
	if !ok || n.Kind != jsontree.Number || f.rule.maximum.compare(n.Text) <= 0 {
		return nil
	}
	if p := m.in.root.byName[f.path[0]]; p != nil && p.header != nil {
		return nil
	}
	to := jsontree.Node{Kind: jsontree.Number, Text: f.rule.maximum.text}
	return []plan{{edits: []edit{{place: f.place, path: f.path, to: to, clamp: true}}}}
}

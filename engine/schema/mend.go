package schema

import (
	"fmt"
	"maps"
	"slices"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A mender looks for the document that an agent meant.
type mender struct {
	in      *Input
	sent    *jsontree.Node // as the agent sent it
	doc     *jsontree.Node // as far as it is mended
	effort  *effort
	done    map[string]bool // paths of values that were converted
	clamped map[string]bool // names of numbers that were lowered
	err     error           // what a string holds is over a cap
	first   *attempt        // what came of the first plan
}

// An attempt is a mended document that is not valid.
type attempt struct {
	mender  *mender
	finding *finding
}

func newMender(in *Input, sent *jsontree.Node, e *effort) *mender {
	return &mender{
		in: in, sent: sent, doc: sent, effort: e,
		done: make(map[string]bool), clamped: make(map[string]bool),
	}
}

// mend tries the plans that settle the findings, one after another, until a
// document is valid. A mended document may show faults that were hidden, in
// what a string held for instance; then their plans are tried on it first.
func (m *mender) mend(f *finding) (*mender, bool) {
	plans := m.all([]*finding{f})
	for _, clamps := range []bool{false, true} { // no number is changed where another reading will do
		for _, p := range plans {
			if m.err != nil || p.clamps() != clamps || len(p.edits) == 0 || !p.settles() {
				continue
			}
			if m.effort.tries == maxTries {
				return nil, false
			}
			m.effort.tries++
			next := m.with(p.edits)
			f, err := m.in.check(next.doc, m.effort)
			if m.err = next.err; err != nil {
				return nil, false
			}
			if f == nil {
				return next, true
			}
			if m.first == nil {
				m.first = &attempt{next, f}
			}
			found, ok := next.mend(f)
			m.err = next.err
			if ok {
				return found, true
			}
		}
	}
	return nil, false
}

// with returns a mender whose document has the edits.
func (m *mender) with(edits []edit) *mender {
	doc := m.doc.Clone()
	next := *m
	next.first = nil
	next.doc, next.done, next.clamped = &doc, maps.Clone(m.done), maps.Clone(m.clamped)
	drops, grows := false, false
	for _, e := range edits {
		n := &doc
		for _, i := range e.place {
			n = &n.Items[i]
		}
		if *n = e.to; e.drop {
			n.Kind, drops = dropped, true
		}
		grows = grows || e.to.Kind == jsontree.Array || e.to.Kind == jsontree.Object
		if e.clamp {
			next.clamped[e.path[0]] = true
		} else {
			next.done[pathKey(e.path)] = true
		}
	}
	if drops {
		sweep(&doc)
	}
	if grows {
		next.err = checkSize(&doc)
	}
	return &next
}

// checkSize says whether a document is over the caps on its size now that some
// of its strings have become what they held.
func checkSize(doc *jsontree.Node) error {
	nodes, depth := size(doc)
	switch caps := jsontree.ArgumentCaps; {
	case nodes > caps.Nodes:
		return &jsontree.CapError{Cap: "nodes", Limit: caps.Nodes}
	case depth > caps.Depth:
		return &jsontree.CapError{Cap: "depth", Limit: caps.Depth}
	}
	return nil
}

// size counts the values in n, and how deep arrays and objects are nested.
func size(n *jsontree.Node) (nodes, depth int) {
	nodes = 1
	for i := range n.Items {
		more, deeper := size(&n.Items[i])
		nodes, depth = nodes+more, max(depth, deeper)
	}
	if n.Kind == jsontree.Array || n.Kind == jsontree.Object {
		depth++
	}
	return nodes, depth
}

// dropped marks a member that is to go. No document has this kind.
const dropped jsontree.Kind = 255

// sweep removes the members that are marked.
func sweep(n *jsontree.Node) {
	kept := 0
	for i := range n.Items {
		if n.Items[i].Kind == dropped {
			continue
		}
		sweep(&n.Items[i])
		if kept < i {
			n.Items[kept] = n.Items[i]
			n.Names[kept] = n.Names[i]
		}
		kept++
	}
	if kept < len(n.Items) {
		n.Items, n.Names = n.Items[:kept], n.Names[:kept]
	}
}

// pathKey makes a path a map's key.
func pathKey(path []string) string { return child("", path...) }

// certain returns the edits that every valid document needs: those for findings
// that are no matter of choice.
func (m *mender) certain(f *finding) []edit {
	if f.isChoice() {
		return nil
	}
	if !f.isConjunction() {
		if plans := m.plans(f); len(plans) == 1 {
			return plans[0].edits
		}
		return nil
	}
	edits := make([]edit, 0, len(f.causes))
	for _, cause := range f.causes {
		edits = append(edits, m.certain(cause)...)
	}
	return edits
}

// explain tells what an agent has to change: what is left after all that could
// be mended is.
func (m *mender) explain(f *finding) error {
	best, left := m.best(f)
	t := newTeller(m.in.compiled, best.doc, best)
	faults := t.tell(left)
	if m.first != nil && !slices.ContainsFunc(faults, isNotRead) {
		// Each could be read in another way, and it was no use.
		t = newTeller(m.in.compiled, m.first.mender.doc, m.first.mender)
		faults = t.tell(m.first.finding)
	}
	e := new(ArgumentsError)
	e.Faults, e.More = t.settle(faults)
	return e
}

// best returns the document after all edits that it needs in any case, and what
// is held against it then.
func (m *mender) best(f *finding) (*mender, *finding) {
	for range 4 { // strings within strings
		edits := m.certain(f)
		if len(edits) == 0 {
			break
		}
		next := m.with(edits)
		g, err := m.in.check(next.doc, m.effort)
		if err != nil || g == nil {
			break
		}
		m, f = next, g
	}
	return m, f
}

// sentAs says how the value at path was sent, where it was read in another way.
func (m *mender) sentAs(path []string) (string, bool) {
	if m == nil || !m.done[pathKey(path)] {
		return "", false
	}
	n, ok := find(m.sent, path)
	if !ok {
		return "", false
	}
	return describe(*n), true
}

// canRead tells whether a value of the wrong type has another reading, so that
// it is not what an agent has to change.
func (m *mender) canRead(f *finding) bool {
	return m != nil && len(m.conversion(f, f.rule.kinds)) > 0
}

// note tells the agent that a number was lowered.
func note(name, maximum string) string {
	if isInteger(maximum) {
		maximum = rational(maximum).Num().String()
	}
	return fmt.Sprintf("Note: %s was over its maximum and was lowered to %s.", shorten(child("", name)), maximum)
}

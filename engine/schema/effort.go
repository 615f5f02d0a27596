package schema

import "github.com/starmcp/starmcp/builtins/jsontree"

const (
	// maxTries is how many mended documents are tried for one call.
	maxTries = 64
	// maxLibrarySteps is how many schemas the library may apply to values for
	// one call, all tries together: about a second's work.
	maxLibrarySteps = 1_000_000
)

// effort is what has been spent on one document.
type effort struct {
	tries int
	steps int // the library's
}

// check validates a document. It returns nil where it is valid, else what the
// library found. The error is a [*jsontree.CapError]: the library, which cannot
// be interrupted, would take too long. A schema whose alternatives contain each
// other can need steps without number for a document of a few hundred bytes.
func (c *compiled) check(doc *jsontree.Node, e *effort) (*finding, error) {
	if c.accepts(doc) {
		return nil, nil
	}
	return c.checkRule(c.root, doc, e)
}

// accepts tells whether a document is certain to be valid.
func (c *compiled) accepts(doc *jsontree.Node) bool {
	return new(judge).judge(c.root, doc) == valid
}

func (c *compiled) checkRule(r *rule, doc *jsontree.Node, e *effort) (*finding, error) {
	if e.weigh(r, doc); e.steps > maxLibrarySteps {
		return nil, &jsontree.CapError{Cap: "steps", Limit: maxLibrarySteps}
	}
	lib, err := c.libraryFor(r)
	if err != nil {
		return nil, err
	}
	if err := lib.Validate(doc.Any()); err != nil {
		return c.findings(err, doc), nil
	}
	return nil, nil
}

// weigh counts the steps that the library takes for a value. Unlike a judge it
// goes on where a fault is certain, since the library looks for all of them.
func (e *effort) weigh(r *rule, n *jsontree.Node) {
	e.steps += 1 + len(r.enum)/4
	if e.steps > maxLibrarySteps || r.types != nil && !r.kinds.has(n) {
		return
	}
	switch n.Kind {
	case jsontree.String:
		e.steps += len(n.Text) / 1000
	case jsontree.Array:
		for i := range n.Items {
			e.weighAll(&n.Items[i], r.element(i), r.contains)
			e.weighAll(&n.Items[i], r.unevaluated...)
		}
	case jsontree.Object:
		for i, name := range n.Names {
			e.steps += len(r.patterns)
			r.member(name, func(s *rule) bool { e.weigh(s, &n.Items[i]); return true })
			e.weighAll(&n.Items[i], r.unevaluated...)
		}
	}
	e.weighAll(n, r.inPlace()...)
}

func (e *effort) weighAll(n *jsontree.Node, rules ...*rule) {
	for _, r := range rules {
		if r != nil {
			e.weigh(r, n)
		}
	}
}

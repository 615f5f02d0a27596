package schema

import (
	"context"
	"slices"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// maxTries is how many mended documents are tried for one call.
const maxTries = 64

// The work of the library for one document, all tries together, in steps. A
// step is a schema applied to a value: about a microsecond and half a kilobyte.
// The library cannot be interrupted and tells every error of every alternative,
// so what it will take is reckoned before it is asked.
const (
	// minWork is for any document, however small.
	minWork = 100_000
	// workPerValue is for each value in it, so that what is large may have as
	// many faults for its size as what is small.
	workPerValue = 8
	// maxWork is for any document, however large.
	maxWork = 400_000

	// errorWork is what an error costs in steps: to find, to order and to tell.
	errorWork = 2
	// depthPerWork is how much deeper a value has to be for an error, which
	// repeats its path, to cost a step more.
	depthPerWork = 16
	// textPerWork is how many bytes a regular expression or a format reads in
	// the time of a step.
	textPerWork = 32
	// largeWork is what no two documents may need more than at a time: their
	// errors would fill the memory together that one of them alone does not.
	largeWork = 20_000
)

// large is held by whoever has a document that needs much work.
var large = make(chan struct{}, 1)

// effort is what has been spent on one document.
type effort struct {
	ctx   context.Context
	limit int // of work
	work  int
	tries int
	large bool  // it holds large
	over  error // why the library is not asked any more
}

// newEffort is for a document as it was sent. It ends with done.
func newEffort(ctx context.Context, doc *jsontree.Node) *effort {
	nodes, _ := size(doc)
	return &effort{ctx: ctx, limit: min(minWork+workPerValue*nodes, maxWork)}
}

func (e *effort) done() {
	if e.large {
		<-large
		e.large = false
	}
}

// check validates a document. It returns nil where it is valid, else what the
// library found. The error is a [*jsontree.CapError] where that would take too
// long, or the cause of a context that has ended. A schema whose alternatives
// contain each other can need steps without number for a document of a few
// hundred bytes.
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
	if e.over = e.reckon(r, doc); e.over != nil {
		return nil, e.over
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

// reckon says why the library is not to be asked about a document; nil: it is.
func (e *effort) reckon(r *rule, doc *jsontree.Node) error {
	if e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	if e.weigh(r, doc, weighing{}); e.work > e.limit {
		return &jsontree.CapError{Cap: "steps", Limit: e.limit}
	}
	if e.work <= largeWork || e.large {
		return nil
	}
	select {
	case large <- struct{}{}:
		e.large = true
		return nil
	case <-e.ctx.Done():
		return context.Cause(e.ctx)
	}
}

// weighing is where in a document and a schema a weigher is.
type weighing struct {
	depth  int
	tracks bool // the library notes for each member whether some schema is about it
}

// weigh counts the steps that the library takes for a value. Unlike a judge it
// goes on where a fault is certain, since the library looks for all of them. It
// tells whether there may be errors.
func (e *effort) weigh(r *rule, n *jsontree.Node, at weighing) (fails bool) {
	e.work += 1 + len(r.enum)/64
	switch {
	case e.work > e.limit:
		return true
	case r.types != nil && !r.kinds.has(n):
		e.weighErrors(1, at)
		return true
	}
	at.tracks = at.tracks || len(r.unevaluated) > 0
	if at.tracks {
		e.work += len(n.Items)
	}
	own := 0
	if r.mayRefuse(n) {
		own = 1
	}
	below := e.weighWithin(r, n, weighing{depth: at.depth + 1})
	alternatives, together := e.weighInPlace(r, n, at)
	if own += alternatives; own+below+together > 1 {
		own++ // for all of them
	}
	e.weighErrors(own, at)
	return own+below+together > 0
}

// weighWithin weighs the rules about what is in a value, and counts those that
// may fail.
func (e *effort) weighWithin(r *rule, n *jsontree.Node, at weighing) (failed int) {
	switch n.Kind {
	case jsontree.String:
		e.work += r.textWork(n.Text)
	case jsontree.Array:
		if r.uniqueItems {
			nodes, _ := size(n)
			e.work += nodes
		}
		for i := range n.Items {
			failed += e.weighAll(&n.Items[i], at, r.element(i), r.contains)
			failed += e.weighAll(&n.Items[i], at, r.unevaluated...)
		}
	case jsontree.Object:
		for i, name := range n.Names {
			e.work += len(r.patterns) * (1 + len(name)/textPerWork)
			r.member(name, func(s *rule) bool { failed += e.weighAll(&n.Items[i], at, s); return true })
			failed += e.weighAll(&n.Items[i], at, r.unevaluated...)
			if r.propertyNames != nil {
				failed += e.weighAll(&jsontree.Node{Kind: jsontree.String, Text: name}, at, r.propertyNames)
			}
		}
	}
	return failed
}

// weighInPlace weighs the rules about the same value. It counts the choices of
// which no alternative may hold, and which of the other rules may fail. The
// library tries alternatives after one that holds, too.
func (e *effort) weighInPlace(r *rule, n *jsontree.Node, at weighing) (choices, others int) {
	for _, choice := range [][]*rule{r.anyOf, r.oneOf} {
		if len(choice) > 0 && e.weighAll(n, at, choice...) == len(choice) {
			choices++
		}
	}
	others = e.weighAll(n, at, r.dynamicRef, r.not, r.cond, r.then, r.orElse) + e.weighAll(n, at, r.allOf...)
	for _, d := range r.dependentSchemas {
		others += e.weighAll(n, at, d.rule)
	}
	return choices + e.weighAll(n, at, r.ref), others // a reference has an error of its own
}

// weighAll counts the rules that may fail.
func (e *effort) weighAll(n *jsontree.Node, at weighing, rules ...*rule) (failed int) {
	for _, r := range rules {
		if r != nil && e.weigh(r, n, at) {
			failed++
		}
	}
	return failed
}

func (e *effort) weighErrors(n int, at weighing) { e.work += n * (errorWork + at.depth/depthPerWork) }

// mayRefuse tells whether r itself may refuse a value of a type that it lets
// through. It is quick, and says yes where it cannot tell.
func (r *rule) mayRefuse(n *jsontree.Node) bool {
	if r.never || r.exotic || r.hasEnum && !r.allows(n) || r.constant != nil && !same(n, r.constant) {
		return true
	}
	switch n.Kind {
	case jsontree.Number:
		return !r.allowsNumber(n.Text)
	case jsontree.String:
		return r.reads() || r.minLength > 0 || r.maxLength < len(n.Text)
	case jsontree.Array:
		return r.uniqueItems || r.contains != nil || len(n.Items) < r.minItems || len(n.Items) > r.maxItems
	case jsontree.Object:
		missing := func(name string) bool { _, ok := n.Get(name); return !ok }
		return len(r.dependents) > 0 || len(n.Items) < r.minProperties || len(n.Items) > r.maxProperties ||
			slices.ContainsFunc(r.required, missing)
	}
	return false
}

// reads tells whether r looks at every byte of a string.
func (r *rule) reads() bool { return r.pattern != nil || r.inFormat != nil }

// textWork is what it takes to judge a string by r alone.
func (r *rule) textWork(s string) int {
	if r.reads() {
		return len(s) / textPerWork
	}
	return len(s) / 1000
}

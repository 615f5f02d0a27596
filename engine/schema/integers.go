package schema

import (
	"slices"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// hasDecimals tells whether a number in n is written with a fraction or an
// exponent.
func hasDecimals(n *jsontree.Node) bool {
	if n.Kind == jsontree.Number {
		return !isPlain(n.Text)
	}
	for i := range n.Items {
		if hasDecimals(&n.Items[i]) {
			return true
		}
	}
	return false
}

// integers rewrites each integer that is written with a fraction or an exponent
// (1.0, 1e3) in plain digits, where the schema that accepted it says "integer".
// Of alternatives that is the first one that accepts the value around it. The
// document is valid.
func (j *judge) integers(r *rule, n *jsontree.Node) {
	if j.steps++; j.steps > maxJudgeSteps {
		return
	}
	switch n.Kind {
	case jsontree.Number:
		if r.kinds&isInt != 0 && r.kinds&isNumber == 0 && !isPlain(n.Text) && isInteger(n.Text) {
			n.Text = rational(n.Text).Num().String()
		}
	case jsontree.Array:
		for i := range n.Items {
			if s := r.element(i); s != nil {
				j.integers(s, &n.Items[i])
			}
		}
	case jsontree.Object:
		for i, name := range n.Names {
			r.member(name, func(s *rule) bool { j.integers(s, &n.Items[i]); return true })
		}
	}
	for _, s := range j.accepting(r, n) {
		j.integers(s, n)
	}
}

// accepting returns the rules about the same value by which r accepts it.
func (j *judge) accepting(r *rule, n *jsontree.Node) []*rule {
	list := slices.Clone(r.allOf)
	accepts := func(s *rule) bool { return j.judge(s, n) == valid }
	for _, choice := range [][]*rule{r.anyOf, r.oneOf} {
		if i := slices.IndexFunc(choice, accepts); i >= 0 {
			list = append(list, choice[i])
		}
	}
	list = append(list, r.ref, r.dynamicRef)
	if r.cond != nil {
		switch j.judge(r.cond, n) {
		case valid:
			list = append(list, r.cond, r.then)
		case invalid:
			list = append(list, r.orElse)
		}
	}
	for _, d := range r.dependentSchemas {
		if _, ok := n.Get(d.name); ok {
			list = append(list, d.rule)
		}
	}
	return slices.DeleteFunc(list, func(s *rule) bool { return s == nil })
}

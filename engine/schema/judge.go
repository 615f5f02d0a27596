package schema

import "github.com/starmcp/starmcp/builtins/jsontree"

// A verdict is what a judge can say of a value.
type verdict uint8

const (
	unsure verdict = iota // the library has to say
	valid
	invalid
)

func verdictOf(ok bool) verdict {
	if ok {
		return valid
	}
	return invalid
}

// both is the verdict of two rules that must both hold.
func (v verdict) both(w verdict) verdict {
	switch {
	case v == invalid || w == invalid:
		return invalid
	case v == valid && w == valid:
		return valid
	}
	return unsure
}

func (v verdict) not() verdict {
	switch v {
	case valid:
		return invalid
	case invalid:
		return valid
	}
	return unsure
}

// A judge says of most documents, without allocating, whether they are valid.
// It exists for speed: nearly every call's arguments are valid, and the library
// takes many times as long to say so. It never contradicts the library; where a
// keyword is beyond it, or it takes too many steps, it is unsure. It finds no
// reasons.
type judge struct {
	steps int // taken so far
}

// maxJudgeSteps bounds a judge's work on one document.
const maxJudgeSteps = 1_000_000

// textPerStep is how many bytes a regular expression or a format reads in the
// time of a step.
const textPerStep = 4

// textStart is what it takes to begin, in steps.
const textStart = 10

func (r *rule) textSteps(s string) int {
	if !r.reads() {
		return 0
	}
	return textStart + len(s)/textPerStep
}

func (j *judge) judge(r *rule, n *jsontree.Node) verdict {
	j.steps += 1 + len(r.enum)/16
	switch {
	case r.never:
		return invalid
	case j.steps > maxJudgeSteps:
		return unsure
	case r.types != nil && !r.kinds.has(n):
		return invalid
	case r.hasEnum && !r.allows(n):
		return invalid
	case r.constant != nil && !same(n, r.constant):
		return invalid
	}
	out := valid
	if r.exotic {
		out = unsure
	}
	switch n.Kind {
	case jsontree.Number:
		out = out.both(verdictOf(r.allowsNumber(n.Text)))
	case jsontree.String:
		j.steps += r.textSteps(n.Text)
		out = out.both(verdictOf(r.allowsString(n.Text)))
	case jsontree.Array:
		out = out.both(j.array(r, n))
	case jsontree.Object:
		out = out.both(j.object(r, n))
	}
	if out == invalid {
		return invalid
	}
	return out.both(j.inPlace(r, n))
}

// inPlace judges by the rules about the same value.
func (j *judge) inPlace(r *rule, n *jsontree.Node) verdict {
	out := valid
	if r.ref != nil {
		out = j.judge(r.ref, n)
	}
	for _, s := range r.allOf {
		if out == invalid {
			return invalid
		}
		out = out.both(j.judge(s, n))
	}
	if r.anyOf != nil {
		out = out.both(j.anyOf(r.anyOf, n))
	}
	if r.oneOf != nil && out != invalid {
		out = out.both(j.oneOf(r.oneOf, n))
	}
	if r.not != nil && out != invalid {
		out = out.both(j.judge(r.not, n).not())
	}
	if r.cond != nil && out != invalid {
		out = out.both(j.conditional(r, n))
	}
	return out
}

func (j *judge) anyOf(rules []*rule, n *jsontree.Node) verdict {
	out := invalid
	for _, s := range rules {
		switch j.judge(s, n) {
		case valid:
			return valid
		case unsure:
			out = unsure
		}
	}
	return out
}

func (j *judge) oneOf(rules []*rule, n *jsontree.Node) verdict {
	matched, out := 0, invalid
	for _, s := range rules {
		switch j.judge(s, n) {
		case valid:
			if matched++; matched > 1 {
				return invalid
			}
		case unsure:
			return unsure
		}
	}
	if matched == 1 {
		out = valid
	}
	return out
}

func (j *judge) conditional(r *rule, n *jsontree.Node) verdict {
	next := r.orElse
	switch j.judge(r.cond, n) {
	case unsure:
		return unsure
	case valid:
		next = r.then
	}
	if next == nil {
		return valid
	}
	return j.judge(next, n)
}

func (j *judge) object(r *rule, n *jsontree.Node) verdict {
	if len(n.Items) < r.minProperties || len(n.Items) > r.maxProperties {
		return invalid
	}
	for _, name := range r.required {
		if _, ok := n.Get(name); !ok {
			return invalid
		}
	}
	out := valid
	for i, name := range n.Names {
		j.steps += len(r.patterns) * (1 + len(name)/textPerStep)
		r.member(name, func(s *rule) bool {
			out = out.both(j.judge(s, &n.Items[i]))
			return out != invalid
		})
		if r.propertyNames != nil && out != invalid {
			out = out.both(j.judge(r.propertyNames, &jsontree.Node{Kind: jsontree.String, Text: name}))
		}
		if out == invalid {
			return invalid
		}
	}
	return out.both(j.dependents(r, n))
}

func (j *judge) dependents(r *rule, n *jsontree.Node) verdict {
	out := valid
	for _, d := range r.dependents {
		if _, ok := n.Get(d.name); !ok {
			continue
		}
		for _, name := range d.required {
			if _, ok := n.Get(name); !ok {
				return invalid
			}
		}
	}
	for _, d := range r.dependentSchemas {
		if _, ok := n.Get(d.name); ok {
			out = out.both(j.judge(d.rule, n))
		}
	}
	return out
}

func (j *judge) array(r *rule, n *jsontree.Node) verdict {
	if len(n.Items) < r.minItems || len(n.Items) > r.maxItems {
		return invalid
	}
	out := valid
	if r.uniqueItems {
		out = unique(n.Items)
	}
	for i := range n.Items {
		if s := r.element(i); s != nil {
			out = out.both(j.judge(s, &n.Items[i]))
		}
		if out == invalid {
			return invalid
		}
	}
	if r.contains == nil {
		return out
	}
	return out.both(j.contains(r, n))
}

func (j *judge) contains(r *rule, n *jsontree.Node) verdict {
	matched := 0
	for i := range n.Items {
		switch j.judge(r.contains, &n.Items[i]) {
		case unsure:
			return unsure
		case valid:
			matched++
		}
	}
	return verdictOf(r.minContains <= matched && matched <= r.maxContains)
}

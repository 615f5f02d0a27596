package schema

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// minSecret is how long a value must be to be masked, in bytes: shorter ones
// occur everywhere by chance.
const minSecret = 6

// maxKeeperSteps bounds a keeper's work.
const maxKeeperSteps = 300_000

// A keeper collects the values of properties that are marked writeOnly.
type keeper struct {
	secrets []string
	kept    map[*jsontree.Node]bool // which alternatives lead to again and again
	steps   int
}

// markHides finds the rules below which something is marked writeOnly.
func (c *compiled) markHides() {
	for changed := true; changed; {
		changed = false
		for _, r := range c.rules {
			if !r.hides && (r.writeOnly || slices.ContainsFunc(r.all(), func(s *rule) bool { return s.hides })) {
				r.hides, changed = true, true
			}
		}
	}
}

// all returns the rules that r is made of.
func (r *rule) all() []*rule {
	list := append(r.inPlace(), r.prefix...)
	list = append(list, r.unevaluated...)
	for _, p := range r.properties {
		list = append(list, p.rule)
	}
	for _, p := range r.patterns {
		list = append(list, p.rule)
	}
	for _, s := range []*rule{r.additional, r.items, r.contains} {
		if s != nil {
			list = append(list, s)
		}
	}
	return list
}

// document collects from a document, which may be one that was seen and then
// changed.
func (k *keeper) document(root *rule, doc *jsontree.Node) {
	k.kept = make(map[*jsontree.Node]bool)
	k.collect(root, doc)
}

// collect walks a document by the rules, alternatives and all: it is better to
// mask too much. Where that takes too long, everything left is a secret.
func (k *keeper) collect(r *rule, n *jsontree.Node) {
	k.steps++
	switch {
	case !r.hides:
		return
	case r.writeOnly || k.steps > maxKeeperSteps:
		k.keep(n)
		return
	}
	for i := range n.Items {
		if n.Kind == jsontree.Array {
			k.each(&n.Items[i], r.element(i), r.contains)
		} else {
			r.member(n.Names[i], func(s *rule) bool { k.collect(s, &n.Items[i]); return true })
		}
		k.each(&n.Items[i], r.unevaluated...)
	}
	k.each(n, r.inPlace()...)
}

func (k *keeper) each(n *jsontree.Node, rules ...*rule) {
	for _, r := range rules {
		if r != nil {
			k.collect(r, n)
		}
	}
}

// keep adds a value, or all that is in it: as it is, and as JSON writes it.
func (k *keeper) keep(n *jsontree.Node) {
	if k.kept[n] {
		return
	}
	k.kept[n] = true
	switch n.Kind {
	case jsontree.Number:
		k.add(n.Text)
	case jsontree.String:
		k.add(n.Text)
		quoted := n.AppendJSON(nil)
		k.add(string(quoted[1 : len(quoted)-1]))
	}
	for i := range n.Items {
		k.keep(&n.Items[i])
	}
}

func (k *keeper) add(s string) {
	if len(s) >= minSecret {
		k.secrets = append(k.secrets, s)
	}
}

// list returns the secrets, each once, the longest first: a secret that is part
// of another one must not be masked before it.
func (k *keeper) list() []string {
	slices.SortFunc(k.secrets, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(k.secrets)
}

// hide takes secrets out of where faults are, for a member may be called what
// another one holds.
func hide(secrets []string, err error) {
	var failed *ArgumentsError
	if !errors.As(err, &failed) {
		return
	}
	for i := range failed.Faults {
		at := &failed.Faults[i].Pointer
		for _, secret := range secrets {
			*at = strings.ReplaceAll(*at, pointerEscapes.Replace(secret), "***")
		}
	}
}

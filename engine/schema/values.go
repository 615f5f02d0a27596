package schema

import (
	"unicode/utf8"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// unique is unsure of long arrays, which the library hashes.
func unique(items []jsontree.Node) verdict {
	if len(items) > 20 {
		return unsure
	}
	for i := range items {
		for k := range i {
			if same(&items[i], &items[k]) {
				return invalid
			}
		}
	}
	return valid
}

func (r *rule) allows(n *jsontree.Node) bool {
	for i := range r.enum {
		if same(n, &r.enum[i]) {
			return true
		}
	}
	return false
}

func (r *rule) allowsNumber(literal string) bool {
	return (r.minimum == nil || r.minimum.compare(literal) >= 0) &&
		(r.maximum == nil || r.maximum.compare(literal) <= 0) &&
		(r.above == nil || r.above.compare(literal) > 0) &&
		(r.below == nil || r.below.compare(literal) < 0) &&
		(r.multipleOf == nil || r.multipleOf.divides(literal))
}

func (r *rule) allowsString(s string) bool {
	if r.minLength > 0 || r.maxLength < len(s) {
		if n := utf8.RuneCountInString(s); n < r.minLength || n > r.maxLength {
			return false
		}
	}
	return (r.pattern == nil || r.pattern.MatchString(s)) && r.hasFormat(s)
}

// hasFormat asks the library's check of the format, if there is one. Formats
// are about strings alone.
func (r *rule) hasFormat(s string) bool {
	return r.inFormat == nil || r.inFormat(s) == nil
}

// same tells whether two values are equal: numbers by value, objects without
// regard to order.
func same(a, b *jsontree.Node) bool {
	if a.Kind != b.Kind || len(a.Items) != len(b.Items) {
		return false
	}
	switch a.Kind {
	case jsontree.Number:
		return sameNumber(a.Text, b.Text)
	case jsontree.String:
		return a.Text == b.Text
	}
	for i := range a.Items {
		other := &b.Items[i]
		if a.Kind == jsontree.Object {
			var ok bool
			if other, ok = b.Get(a.Names[i]); !ok {
				return false
			}
		}
		if !same(&a.Items[i], other) {
			return false
		}
	}
	return true
}

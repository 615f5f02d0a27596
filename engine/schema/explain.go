package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A teller turns findings into faults that an agent can act on.
type teller struct {
	c      *compiled
	doc    *jsontree.Node // what the findings are about
	at     places         // in doc
	mender *mender        // whose doc it is; nil where nothing was mended
}

// A told fault knows where it stands, and what kind of fault it is.
type told struct {
	ArgumentFault
	path    []string
	place   place
	finding *finding
	known   []string // of an unknown member: those that are known; else nil
	listed  bool     // the value is none of those that are listed
	typed   bool     // the value has the wrong type
	read    bool     // and has another reading, of the right one
}

func newTeller(c *compiled, doc *jsontree.Node, m *mender) *teller {
	return &teller{c: c, doc: doc, at: places{doc: doc}, mender: m}
}

// explain returns the first of the faults that a finding comes down to, in the
// document's order, and how many more there are.
func (c *compiled) explain(f *finding, doc *jsontree.Node) (faults []ArgumentFault, more int) {
	t := newTeller(c, doc, nil)
	return t.settle(t.tell(f))
}

// word says what a member at path is to whoever reads of it.
func (t *teller) word(path []string) string {
	if t.mender != nil && len(path) == 1 {
		return "argument"
	}
	return "property"
}

// settle puts faults in the document's order, each once. Where anything else is
// wrong, values that only have to be read in another way are not.
func (t *teller) settle(faults []*told) (out []ArgumentFault, more int) {
	if slices.ContainsFunc(faults, isNotRead) {
		faults = slices.DeleteFunc(faults, func(fault *told) bool { return fault.read })
	}
	slices.SortStableFunc(faults, func(x, y *told) int { return slices.Compare(x.place, y.place) })
	faults = slices.CompactFunc(faults, func(x, y *told) bool { return x.ArgumentFault == y.ArgumentFault })
	for _, fault := range faults[:min(len(faults), maxFaults)] {
		t.advise(fault)
		out = append(out, fault.ArgumentFault)
	}
	return out, len(faults) - len(out)
}

func isNotRead(fault *told) bool { return !fault.read }

func (t *teller) tell(f *finding) []*told {
	if f.isConjunction() {
		return t.all(f.causes)
	}
	switch k := f.kind.(type) {
	case *kind.AnyOf:
		return t.choice(f)
	case *kind.OneOf:
		if f.isChoice() {
			return t.choice(f)
		}
	case *kind.Required:
		return t.missing(f, k.Missing, "it is required")
	case *kind.DependentRequired:
		return t.missing(f, k.Missing, "it is required together with "+shorten(k.Prop))
	case *kind.Dependency:
		return t.missing(f, k.Missing, "it is required together with "+shorten(k.Prop))
	case *kind.AdditionalProperties:
		return t.unknown(f, k.Properties)
	case *kind.FalseSchema:
		return []*told{t.refused(f)}
	case *kind.PropertyNames:
		path := append(slices.Clone(f.path), k.Property)
		return []*told{t.fault(f, path, "a name that is "+nameWants(f.rule), "another name")}
	}
	return []*told{t.value(f)}
}

// all tells of faults that must all go. What only follows from the others is
// left out.
func (t *teller) all(findings []*finding) []*told {
	var out, follow []*told
	for _, f := range findings {
		if f.isUnevaluated() && t.isKnown(f) {
			follow = append(follow, t.tell(f)...)
		} else {
			out = append(out, t.tell(f)...)
		}
	}
	if len(out) == 0 {
		return follow
	}
	return out
}

// value tells of a fault of the value itself.
func (t *teller) value(f *finding) *told {
	want := t.want(f)
	fault := t.fault(f, f.path, want, t.got(f, f.place.in(t.doc)))
	switch f.kind.(type) {
	case *kind.Type:
		fault.typed, fault.read = true, t.mender.canRead(f)
	case *kind.Enum, *kind.Const:
		fault.listed = true
	}
	return fault
}

func (t *teller) fault(f *finding, path []string, want, got string) *told {
	return &told{
		ArgumentFault: ArgumentFault{Pointer: child("", path...), Expected: want, Got: got},
		path:          path, place: t.at.at(path), finding: f,
	}
}

// got says what was sent, and how it was read where that differs.
func (t *teller) got(f *finding, n *jsontree.Node) string {
	switch k := f.kind.(type) {
	case *kind.UniqueItems:
		return fmt.Sprintf("equal items at %d and %d", k.Duplicates[0], k.Duplicates[1])
	case *kind.OneOf:
		if len(k.Subschemas) == 2 {
			return fmt.Sprintf("one that fits alternatives %d and %d", k.Subschemas[0]+1, k.Subschemas[1]+1)
		}
	}
	if n == nil {
		return "nothing"
	}
	if sent, ok := t.mender.sentAs(f.path); ok {
		return describe(*n) + ", sent as " + sent
	}
	return describe(*n)
}

// want says what the keyword that failed asks for.
func (t *teller) want(f *finding) string {
	r := f.rule
	switch f.kind.(type) {
	case *kind.Type:
		return oneOfTypes(r.types)
	case *kind.Enum, *kind.Const:
		return r.wants()
	case *kind.Format:
		return wantsFormat(r.format)
	case *kind.Pattern:
		return "a string that matches " + shorten(r.pattern.String())
	case *kind.MinLength:
		return "a string of at least " + plural(r.minLength, "character", "characters")
	case *kind.MaxLength:
		return "a string of at most " + plural(r.maxLength, "character", "characters")
	case *kind.Minimum:
		return r.numberWord() + " of at least " + r.minimum.text
	case *kind.Maximum:
		return r.numberWord() + " of at most " + r.maximum.text
	case *kind.ExclusiveMinimum:
		return r.numberWord() + " over " + r.above.text
	case *kind.ExclusiveMaximum:
		return r.numberWord() + " under " + r.below.text
	case *kind.MultipleOf:
		return "a multiple of " + r.multipleOf.text
	case *kind.MinItems:
		return "an array of at least " + plural(r.minItems, "item", "items")
	case *kind.MaxItems:
		return "an array of at most " + plural(r.maxItems, "item", "items")
	case *kind.AdditionalItems:
		return "an array of at most " + plural(len(r.prefix), "item", "items")
	case *kind.UniqueItems:
		return "an array whose items all differ"
	case *kind.Contains, *kind.MinContains:
		return fmt.Sprintf("an array with at least %s of this kind: %s", plural(max(r.minContains, 1), "item", "items"), r.contains.wants())
	case *kind.MaxContains:
		return fmt.Sprintf("an array with at most %s of this kind: %s", plural(r.maxContains, "item", "items"), r.contains.wants())
	case *kind.MinProperties:
		return "an object of at least " + plural(r.minProperties, "property", "properties")
	case *kind.MaxProperties:
		return "an object of at most " + plural(r.maxProperties, "property", "properties")
	case *kind.OneOf:
		return "a value that fits exactly one of the alternatives"
	case *kind.Not:
		return `a value that the schema does not exclude by "not"`
	}
	return "a value that fits the schema"
}

func (r *rule) numberWord() string {
	if slices.Equal(r.types, []string{"integer"}) {
		return "an integer"
	}
	return "a number"
}

// nameWants says what names an object's members may have.
func nameWants(r *rule) string {
	switch {
	case r.pattern != nil:
		return "matched by " + shorten(r.pattern.String())
	case r.hasEnum:
		return listed(r.enum)
	}
	return "let through by the schema's propertyNames"
}

func (t *teller) missing(f *finding, names []string, reason string) []*told {
	var out []*told
	for _, name := range names {
		path := append(slices.Clone(f.path), name)
		want := "a value"
		if p := f.rule.byName[name]; p != nil {
			want = p.wants()
		} else if p := t.c.ruleAt(path); p != nil {
			want = p.wants()
		}
		out = append(out, t.fault(f, path, want, "nothing; "+reason))
	}
	return out
}

// unknown tells of members that no property allows.
func (t *teller) unknown(f *finding, names []string) []*told {
	known := []string{}
	for _, p := range f.rule.properties {
		known = append(known, p.name)
	}
	var out []*told
	for _, name := range names {
		out = append(out, t.unknownMember(f, append(slices.Clone(f.path), name), known))
	}
	return out
}

func (t *teller) unknownMember(f *finding, path, known []string) *told {
	fault := t.fault(f, path, "", "unknown "+t.word(path))
	fault.known = known
	return fault
}

// refused tells of a value that the schema false stands for.
func (t *teller) refused(f *finding) *told {
	switch holder := t.holder(f); {
	case len(f.path) == 0 || holder == nil:
		return t.fault(f, f.path, "no value at all", "one")
	case f.isUnevaluated():
		return t.unknownMember(f, f.path, append([]string{}, holder.names()...))
	}
	return t.fault(f, f.path, "nothing here", t.got(f, f.place.in(t.doc)))
}

// holder returns the rule that a keyword's schema stands in.
func (t *teller) holder(f *finding) *rule {
	i := strings.LastIndexByte(f.rule.pointer, '/')
	if i < 0 {
		return nil
	}
	if r, ok := t.c.rules[f.rule.pointer[:i]]; ok {
		return r
	}
	return t.c.root
}

// isUnevaluated tells of a value that no other schema is about. When another
// schema failed, what it is about counts as unevaluated too.
func (f *finding) isUnevaluated() bool {
	if _, ok := f.kind.(*kind.FalseSchema); !ok || len(f.path) == 0 {
		return false
	}
	return strings.HasSuffix(f.rule.pointer, "/unevaluatedProperties") || strings.HasSuffix(f.rule.pointer, "/unevaluatedItems")
}

// isKnown tells whether some schema of the object is about that member.
func (t *teller) isKnown(f *finding) bool {
	return slices.Contains(t.holder(f).names(), f.path[len(f.path)-1])
}

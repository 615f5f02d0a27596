package schema

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// schemaCaps bound a schema. What a schema costs at load and in each call grows
// with it, and a number such as 1e3000000 alone would be enough.
var schemaCaps = jsontree.Caps{
	Bytes:    512 << 10,
	Depth:    64,
	Nodes:    20_000,
	Keys:     2_000,
	Digits:   400,
	Exponent: 400,
}

// baseURI is what relative references in a schema without $id are relative to.
const baseURI = "mem:///schema"

// dialects are what $schema may say, without an empty fragment. True: draft-07.
var dialects = map[string]bool{
	"https://json-schema.org/draft/2020-12/schema": false,
	"http://json-schema.org/draft/2020-12/schema":  false,
	"http://json-schema.org/draft-07/schema":       true,
	"https://json-schema.org/draft-07/schema":      true,
}

// A builder reads a document into rules and collects its faults.
type builder struct {
	doc      *jsontree.Node
	draft07  bool
	early    bool             // has what only the library fully checks
	rules    map[string]*rule // by pointer
	refs     []reference      // to be resolved once all rules are known
	byURI    map[string]*resource
	faults   []Fault
	warnings []Fault
	slips    []Fault // keywords that are misspelt: warnings, unless something else is wrong
}

// A resource is a schema with an $id of its own, or the document: what
// references without a path and anchors are relative to.
type resource struct {
	uri     *url.URL
	pointer string
	anchors map[string]string // name to pointer
}

// A reference is a keyword ($ref or $dynamicRef) that stands for another schema.
type reference struct {
	from    *rule
	keyword string
}

func newBuilder(doc *jsontree.Node) *builder {
	return &builder{doc: doc, rules: make(map[string]*rule), byURI: make(map[string]*resource)}
}

func (b *builder) faultf(at, hint, format string, args ...any) {
	b.faults = append(b.faults, Fault{Pointer: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (b *builder) warnf(at, hint, format string, args ...any) {
	b.warnings = append(b.warnings, Fault{Pointer: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// want reports a value that is not of the kind that its keyword takes.
func (b *builder) want(at string, v *jsontree.Node, kind jsontree.Kind) bool {
	if v.Kind == kind {
		return true
	}
	b.faultf(at, "", "%s is %s, and this is %s", subjectOf(at), withArticle(kind.String()), describe(*v))
	return false
}

// document reads the whole document.
func (b *builder) document() *rule {
	b.checkCaps()
	if len(b.faults) > 0 {
		return nil
	}
	b.readDialect()
	root := b.schema("", b.doc, nil)
	b.resolve()
	b.checkCycles()
	b.number()
	return root
}

// readDialect looks at the root's $schema, which says how all else is read.
func (b *builder) readDialect() {
	if v, ok := b.doc.Get("$schema"); ok && v.Kind == jsontree.String {
		b.draft07 = dialects[strings.TrimSuffix(v.Text, "#")]
		b.early = b.draft07
	}
}

// checkCaps finds what is over a cap: one number, or the schema as a whole.
func (b *builder) checkCaps() {
	_, err := jsontree.Parse(b.doc.AppendJSON(nil), schemaCaps)
	if err == nil {
		return
	}
	at, _ := hugeNumber("", b.doc)
	b.faultf(at, "make it smaller", "%s", strings.Replace(err.Error(), "JSON", "schema", 1))
}

// hugeNumber returns where the first number stands that is over a cap.
func hugeNumber(at string, n *jsontree.Node) (string, bool) {
	if n.Kind == jsontree.Number {
		_, err := jsontree.Parse([]byte(n.Text), schemaCaps)
		return at, err != nil
	}
	for i := range n.Items {
		where := element(at, i)
		if n.Kind == jsontree.Object {
			where = child(at, n.Names[i])
		}
		if found, ok := hugeNumber(where, &n.Items[i]); ok {
			return found, true
		}
	}
	return "", false
}

func (b *builder) readSchema(r *rule, v *jsontree.Node) {
	draft07, known := dialects[strings.TrimSuffix(v.Text, "#")]
	switch {
	case !known:
		b.faultf(child(r.pointer, "$schema"), `leave $schema out, or set it to "https://json-schema.org/draft/2020-12/schema" or "http://json-schema.org/draft-07/schema#"`,
			"the dialect %q is not supported", shorten(v.Text))
	case draft07 != b.draft07:
		b.faultf(child(r.pointer, "$schema"), "set $schema at the root", "a schema has one dialect, which its root names")
	}
}

// schema reads the schema at a pointer into a rule.
func (b *builder) schema(at string, v *jsontree.Node, in *resource) *rule {
	r := newRule(at, v)
	b.rules[at] = r
	r.resource = b.enter(at, v, in)
	switch v.Kind {
	case jsontree.True:
	case jsontree.False:
		r.never = true
	case jsontree.Object:
		for i, name := range v.Names {
			b.keyword(r, name, &v.Items[i])
		}
		b.settle(r)
	default:
		b.faultf(at, "", "a schema is an object or a boolean, and this is %s", describe(*v))
	}
	return r
}

func (b *builder) keyword(r *rule, name string, v *jsontree.Node) {
	ours, others := keywords2020, keywords07
	if b.draft07 {
		ours, others = others, ours
	}
	at := child(r.pointer, name)
	switch {
	case keywords[name] != nil:
		keywords[name](b, r, at, v)
	case ours[name] != nil:
		ours[name](b, r, at, v)
	case others[name] != nil && (!b.draft07 || name != "$defs"): // $defs is as good a place as any to refer to
		b.early = true
		b.warnf(at, "", "%s means nothing in %s", name, b.dialect())
	case !strings.HasPrefix(name, "x-"):
		b.warnKeyword(at, name, ours)
	}
}

func (b *builder) dialect() string {
	if b.draft07 {
		return "draft-07"
	}
	return "JSON Schema 2020-12"
}

// warnKeyword tells of a name that is one slip away from a keyword. Other
// unknown keywords are allowed, and mean nothing.
func (b *builder) warnKeyword(at, name string, ours map[string]reader) {
	var known []string
	for _, set := range []map[string]reader{keywords, ours} {
		for keyword := range set {
			known = append(known, keyword)
		}
	}
	slices.Sort(known)
	if hint := suggest(name, known); hint != "" && len(name) > 3 {
		b.slips = append(b.slips, Fault{Pointer: at, Hint: hint, Message: fmt.Sprintf("%q is no keyword of JSON Schema, so it has no effect", name)})
	}
}

// settle completes a rule whose keywords are read.
func (b *builder) settle(r *rule) {
	if b.draft07 {
		if r.tuple {
			r.items = r.afterItems
		}
		if _, ok := r.doc.Get("$ref"); ok { // in draft-07, everything beside $ref is ignored
			*r = bare(r)
		}
	}
	r.byName = make(map[string]*rule, len(r.properties))
	for _, p := range r.properties {
		r.byName[p.name] = p.rule
	}
	b.checkRequired(r)
}

// bare returns r without what its keywords say, except that its values are
// secrets: it is better to mask too much.
func bare(r *rule) rule {
	empty := newRule(r.pointer, r.doc)
	empty.resource, empty.writeOnly = r.resource, r.writeOnly
	return *empty
}

// checkRequired finds names that an object must have and cannot have.
func (b *builder) checkRequired(r *rule) {
	if r.additional == nil || !r.additional.never {
		return
	}
	names := make([]string, len(r.properties))
	for i, p := range r.properties {
		names[i] = p.name
	}
	for i, name := range r.required {
		known := false
		r.member(name, func(s *rule) bool { known = known || s != r.additional; return true })
		if !known {
			b.faultf(element(child(r.pointer, "required"), i), suggest(name, names), "%q is required and is no property, and no others are let through", name)
		}
	}
}

// number gives the rules their order in the document.
func (b *builder) number() {
	list := make([]*rule, 0, len(b.rules))
	at := places{doc: b.doc}
	where := make(map[*rule]place, len(b.rules))
	for _, r := range b.rules {
		list = append(list, r)
		where[r] = at.at(tokens(r.pointer))
	}
	slices.SortFunc(list, func(x, y *rule) int { return slices.Compare(where[x], where[y]) })
	for i, r := range list {
		r.order = i
	}
}

// sorted puts faults in the document's order.
func sorted(faults []Fault, doc *jsontree.Node) []Fault {
	at := places{doc: doc}
	slices.SortStableFunc(faults, func(x, y Fault) int {
		return cmp.Or(slices.Compare(at.at(tokens(x.Pointer)), at.at(tokens(y.Pointer))), cmp.Compare(x.Message, y.Message))
	})
	return slices.Compact(faults)
}

func regexpFault(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return fmt.Sprintf("%s: %s", e.Code, shorten(e.Expr))
	}
	return err.Error()
}

// subjectOf says what a pointer leads to.
func subjectOf(pointer string) string {
	last := lastToken(pointer)
	if _, err := strconv.Atoi(last); err == nil {
		return "an element of " + lastToken(pointer[:strings.LastIndexByte(pointer, '/')])
	}
	return last
}

func lastToken(pointer string) string {
	list := tokens(pointer)
	if len(list) == 0 {
		return "the schema"
	}
	return list[len(list)-1]
}

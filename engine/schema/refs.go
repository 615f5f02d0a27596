package schema

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// enter returns the resource that the schema at a pointer belongs to: a new one
// where it has an $id.
func (b *builder) enter(at string, v *jsontree.Node, in *resource) *resource {
	base, _ := url.Parse(baseURI)
	if in != nil {
		base = in.uri
	}
	id, hasID := b.id(v)
	uri, err := base.Parse(id)
	switch {
	case err != nil:
		b.faultf(child(at, "$id"), "", "$id is no URI reference")
		uri = base
	case in != nil && !hasID:
		b.anchor07(at, v, in)
		return in
	}
	uri.Fragment, uri.RawFragment = "", ""
	res := &resource{uri: uri, pointer: at, anchors: make(map[string]string)}
	if other, ok := b.byURI[uri.String()]; ok {
		b.faultf(child(at, "$id"), "", "the schema at %s has this $id already", orRoot(other.pointer))
	} else {
		b.byURI[uri.String()] = res
	}
	b.anchor07(at, v, res)
	return res
}

// id returns a schema's $id without fragment.
func (b *builder) id(v *jsontree.Node) (string, bool) {
	n, ok := v.Get("$id")
	if _, isRef := v.Get("$ref"); !ok || n.Kind != jsontree.String || b.draft07 && isRef {
		return "", false
	}
	id, _, _ := strings.Cut(n.Text, "#")
	return id, id != ""
}

func (b *builder) readID(r *rule, v *jsontree.Node) {
	b.early = true
	if _, fragment, _ := strings.Cut(v.Text, "#"); fragment != "" && !b.draft07 {
		b.faultf(child(r.pointer, "$id"), "name a schema within the document by $anchor", "an $id has no fragment")
	}
}

// anchor07 reads draft-07's way to name a schema: an $id that is a fragment.
func (b *builder) anchor07(at string, v *jsontree.Node, in *resource) {
	if n, ok := v.Get("$id"); ok && b.draft07 && n.Kind == jsontree.String {
		if _, fragment, _ := strings.Cut(n.Text, "#"); fragment != "" && fragment[0] != '/' {
			b.addAnchor(child(at, "$id"), at, fragment, in)
		}
	}
}

func (b *builder) readAnchor(r *rule, v *jsontree.Node) {
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if n, ok := r.doc.Get(keyword); ok && n == v {
			b.addAnchor(child(r.pointer, keyword), r.pointer, v.Text, r.resource)
		}
	}
}

// anchorName is what an anchor may be called.
// Source: https://json-schema.org/draft/2020-12/meta/core.
var anchorName = regexp.MustCompile(`^[A-Za-z_][-A-Za-z0-9._]*$`)

func (b *builder) addAnchor(at, pointer, name string, in *resource) {
	if !b.draft07 && !anchorName.MatchString(name) {
		b.faultf(at, "begin with a letter or _, and go on with letters, digits, -, _ and .", "%q cannot be an anchor", shorten(name))
		return
	}
	if other, ok := in.anchors[name]; ok && other != pointer {
		b.faultf(at, "", "the anchor %q is already at %s", name, orRoot(other))
		return
	}
	in.anchors[name] = pointer
}

// resolve finds what the references lead to. A target that is not in a place
// where a schema is expected is read as one, and may have references itself.
func (b *builder) resolve() {
	for i := 0; i < len(b.refs); i++ {
		ref := b.refs[i]
		target := b.target(ref)
		if target == nil {
			continue
		}
		if ref.keyword == "$ref" {
			ref.from.ref = target
		} else {
			ref.from.dynamicRef = target
		}
	}
}

func (b *builder) target(ref reference) *rule {
	n, _ := ref.from.doc.Get(ref.keyword)
	at := child(ref.from.pointer, ref.keyword)
	uri, err := ref.from.resource.uri.Parse(n.Text)
	if err != nil {
		b.faultf(at, "", "%s is no URI reference", ref.keyword)
		return nil
	}
	fragment := uri.Fragment
	uri.Fragment, uri.RawFragment = "", ""
	res, ok := b.byURI[uri.String()]
	if !ok {
		b.faultf(at, `put what it means under "$defs" and refer to it as "#/$defs/NAME"`,
			"%s leads outside the schema, and nothing is ever fetched", ref.keyword)
		return nil
	}
	if fragment != "" && fragment[0] != '/' {
		return b.anchored(at, fragment, res)
	}
	pointer := res.pointer + fragment
	if r, ok := b.rules[pointer]; ok {
		return r
	}
	v, ok := find(b.doc, tokens(pointer))
	if !ok {
		b.faultf(at, suggest("#"+pointer, b.pointers()), "%s leads to #%s, which does not exist", ref.keyword, pointer)
		return nil
	}
	return b.schema(pointer, v, res)
}

func (b *builder) anchored(at, name string, res *resource) *rule {
	pointer, ok := res.anchors[name]
	if !ok {
		b.faultf(at, "", "no schema has the anchor %q", name)
		return nil
	}
	return b.rules[pointer]
}

// pointers lists where there are schemas, as references within the document.
func (b *builder) pointers() []string {
	var list []string
	for pointer := range b.rules {
		list = append(list, "#"+pointer)
	}
	slices.Sort(list)
	return list
}

// maxInPlace bounds the schemas that judge one value, references followed.
const maxInPlace = 2000

// checkCycles finds schemas that need themselves, or too many others, to judge
// one value.
func (b *builder) checkCycles() {
	const entered = -1
	sizes := make(map[*rule]int, len(b.rules)) // of r and all in place below it
	var visit func(r *rule) int
	visit = func(r *rule) int {
		sizes[r] = entered
		total := 1
		for _, next := range r.inPlace() {
			n, known := sizes[next]
			switch {
			case n == entered:
				b.faultf(cycleAt(r, next), "a schema may refer to itself only for what is in a value, as through properties or items",
					"the schema at %s refers back to itself without end", orRoot(next.pointer))
			case !known:
				n = visit(next)
			}
			total += max(n, 0)
		}
		if total > maxInPlace {
			b.faultf(r.pointer, "use fewer alternatives and references", "it takes more than %d schemas to judge one value here", maxInPlace)
			total = 1 // enough said
		}
		sizes[r] = total
		return total
	}
	for _, pointer := range b.pointers() {
		if r := b.rules[pointer[1:]]; sizes[r] == 0 {
			visit(r)
		}
	}
}

// cycleAt points to the reference in r that leads to next.
func cycleAt(r, next *rule) string {
	switch next {
	case r.ref:
		return child(r.pointer, "$ref")
	case r.dynamicRef:
		return child(r.pointer, "$dynamicRef")
	}
	return r.pointer
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return pointer
}

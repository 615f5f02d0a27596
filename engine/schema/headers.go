package schema

import (
	"slices"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// checkHeaders finds x-mcp-header annotations that would make clients drop the
// tool. Source: docs/specification/2026-07-28/basic/transports/streamable-http,
// "Schema Extension".
func (b *builder) checkHeaders(root *rule) {
	reachable := make(map[*rule]bool)
	markReachable(root, reachable)
	seen := make(map[string]string) // header in lower case to pointer
	for _, r := range b.inOrder() {
		if r.header == nil {
			continue
		}
		at := child(r.pointer, "x-mcp-header")
		if !reachable[r] || r == root {
			b.faultf(at, "annotate a property that the root reaches through properties alone", "x-mcp-header is not allowed here: clients find such a property only through properties")
		}
		b.checkHeaderType(r, at)
		if !b.want(at, r.header, jsontree.String) {
			continue
		}
		name := r.header.Text
		if !isToken(name) {
			b.faultf(at, "use letters, digits and -", "%q cannot be part of a header's name", shorten(name))
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			b.faultf(at, "", "the header %q is already used at %s", name, other)
			continue
		}
		seen[strings.ToLower(name)] = r.pointer
	}
}

func (b *builder) checkHeaderType(r *rule, at string) {
	t, ok := r.doc.Get("type")
	if ok && t.Kind == jsontree.String && slices.Contains([]string{"string", "integer", "boolean"}, t.Text) {
		return
	}
	hint := `give the property one of these types`
	if slices.Contains(r.types, "number") {
		hint = `numbers have no one notation in a header; use "integer" or "string"`
	}
	b.faultf(at, hint, "only a property of type string, integer or boolean can travel in a header")
}

// markReachable marks what a chain of properties reaches.
func markReachable(r *rule, reachable map[*rule]bool) {
	reachable[r] = true
	for _, p := range r.properties {
		markReachable(p.rule, reachable)
	}
}

// inOrder returns the rules in the document's order.
func (b *builder) inOrder() []*rule {
	list := make([]*rule, len(b.rules))
	for _, r := range b.rules {
		list[r.order] = r
	}
	return list
}

// isToken tells whether s is one token of HTTP.
// Source: RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && !digit && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// headersOf lists the annotated properties, in the schema's order.
func headersOf(root *rule) []HeaderParam {
	var list []HeaderParam
	var visit func(r *rule, path []string)
	visit = func(r *rule, path []string) {
		for _, p := range r.properties {
			path := append(slices.Clip(path), p.name)
			if p.rule.header != nil {
				list = append(list, HeaderParam{Header: p.rule.header.Text, Path: path, Type: p.rule.types[0]})
			}
			visit(p.rule, path)
		}
	}
	visit(root, nil)
	return list
}

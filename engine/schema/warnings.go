package schema

import "github.com/starmcp/starmcp/builtins/jsontree"

// warnHosts tells what MCP allows and well-known hosts reject or mishandle.
func (b *builder) warnHosts(root *rule) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if _, ok := root.doc.Get(keyword); ok {
			b.warnf("/"+keyword, "describe the alternatives as optional properties", "several hosts reject %s at the top level", keyword)
		}
	}
	for _, r := range b.inOrder() {
		if _, ok := r.doc.Get("$ref"); ok {
			b.warnf(child(r.pointer, "$ref"), "write the schema where it is used", "several hosts do not follow $ref")
		}
		if t, ok := r.doc.Get("type"); ok && t.Kind == jsontree.Array {
			b.warnf(child(r.pointer, "type"), "use one type, and leave the property out of required where it may be missing", "several hosts mishandle a list of types")
		}
	}
	b.warnUnused(root)
}

// warnUnused tells of defaults that are never filled in.
func (b *builder) warnUnused(root *rule) {
	for _, name := range root.required {
		if p := root.byName[name]; p != nil && p.def != nil {
			b.warnf(child(p.pointer, "default"), "drop the default, or take the property out of required", "%q is required, so its default is never used", name)
		}
	}
}

package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/starmcp/starmcp/engine"
)

// appendTool writes a tool with what clients of the revision know of tools.
// Source: the interface Tool in schema/*/schema.ts.
func appendTool(dst []byte, t *engine.Descriptor, rev revision) []byte {
	dst = appendText(append(dst, `{"name":`...), t.Name)
	if t.Title != "" && rev >= v20250618 {
		dst = appendText(append(dst, `,"title":`...), t.Title)
	}
	dst = appendText(append(dst, `,"description":`...), t.Description)
	dst = appendJSON(append(dst, `,"inputSchema":`...), t.InputSchema)
	if t.OutputSchema != nil && rev >= v20250618 {
		dst = appendOutputSchema(append(dst, `,"outputSchema":`...), t, rev)
	}
	dst = appendMember(dst, "annotations", t.Annotations, rev >= v20250326)
	dst = appendMember(dst, "icons", t.Icons, rev >= v20251125)
	dst = appendMember(dst, "_meta", t.Meta, rev >= v20250618)
	return append(dst, '}')
}

func appendMember(dst []byte, name string, value []byte, known bool) []byte {
	if value == nil || !known {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return appendJSON(dst, value)
}

// appendOutputSchema writes a tool's output schema. Before 2026-07-28 it has to
// be one of objects; any other becomes the schema of what appendStructured
// sends: {"result": value}. The schema within gets an $id, so that references in
// it still begin at its own root.
func appendOutputSchema(dst []byte, t *engine.Descriptor, rev revision) []byte {
	if rev.modern() || t.ObjectOutput {
		return appendJSON(dst, t.OutputSchema)
	}
	dst = append(dst, `{"type":"object","properties":{"result":`...)
	dst = appendJSON(dst, withID(t.OutputSchema))
	return append(dst, `},"required":["result"]}`...)
}

// withID returns a schema that is a resource of its own. The $id is made from
// the content: clients compile the schemas of all tools, old and new, in one
// place, where two that differ may not share it. A $ref at the root moves into
// allOf, where it means the same: beside $id, some validators follow it for ever.
func withID(schema []byte) []byte {
	members := schemaMembers(schema)
	if members == nil {
		return schema
	}
	sum := sha256.Sum256(schema)
	id := appendText(nil, "urn:starmcp:schema:"+hex.EncodeToString(sum[:8]))
	ref, all := take(&members, "$ref"), take(&members, "allOf")
	if own := take(&members, "$id"); own != nil {
		id = own
	}
	out := append([]byte(`{"$id":`), id...)
	if ref != nil {
		out = append(append(append(out, `,"allOf":[{"$ref":`...), ref...), '}')
		if rest := bytes.TrimSpace(bytes.TrimPrefix(all, []byte{'['})); len(rest) > 1 {
			out = append(append(out, ','), rest...)
		} else {
			out = append(out, ']')
		}
	} else if all != nil {
		out = append(append(out, `,"allOf":`...), all...)
	}
	for _, m := range members {
		out = append(append(append(append(out, ','), m.name...), ':'), m.value...)
	}
	return append(out, '}')
}

// A schemaMember is one member of a schema, as it is written.
type schemaMember struct{ name, value []byte }

// schemaMembers returns what a schema consists of; nil: it is not an object.
func schemaMembers(schema []byte) []schemaMember {
	members := []schemaMember{}
	d := jsontext.NewDecoder(bytes.NewBuffer(schema))
	if t, err := d.ReadToken(); err != nil || t.Kind() != jsontext.KindBeginObject {
		return nil
	}
	for d.PeekKind() == jsontext.KindString {
		name, err := d.ReadValue()
		if err != nil {
			return nil
		}
		m := schemaMember{name: bytes.Clone(name)}
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		m.value = bytes.Clone(value)
		members = append(members, m)
	}
	return members
}

// take removes the named member and returns its value; nil: there is none.
func take(members *[]schemaMember, name string) []byte {
	for i, m := range *members {
		if raw(m.name).text() == name {
			*members = slices.Delete(*members, i, i+1)
			return m.value
		}
	}
	return nil
}

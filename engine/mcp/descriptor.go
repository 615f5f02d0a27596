package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

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
// place, where two that differ may not share it.
func withID(schema []byte) []byte {
	schema = bytes.TrimSpace(schema)
	if !raw(schema).isObject() || hasMember(schema, "$id") {
		return schema
	}
	sum := sha256.Sum256(schema)
	out := appendText([]byte(`{"$id":`), "urn:starmcp:schema:"+hex.EncodeToString(sum[:8]))
	rest := bytes.TrimLeft(schema[1:], " \t\r\n")
	if !bytes.HasPrefix(rest, []byte{'}'}) {
		out = append(out, ',')
	}
	return append(out, rest...)
}

// hasMember tells whether a JSON object has a member of the given name.
func hasMember(object []byte, name string) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(object))
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() == jsontext.KindString {
		member, err := d.ReadToken()
		if err != nil || member.String() == name {
			return err == nil
		}
		if d.SkipValue() != nil {
			return false
		}
	}
	return false
}

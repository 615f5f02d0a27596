// Package schema compiles JSON Schemas and applies them to what agents send.
//
// It knows JSON only: documents come and go as bytes and jsontree nodes, so
// that every entry (HTTP, stdio, the command line) shares one algorithm.
//
// A schema is read twice. This package reads it into rules, which tell faults
// in plain words, fill defaults, mend arguments and say quickly that a document
// is valid. The jsonschema library compiles it too, and has the last word wherever
// the rules do not say that a document is valid; every message about a document
// is made from its findings.
//
// Sources: JSON Schema 2020-12 and draft-07 (https://json-schema.org), and for
// tools docs/specification/2026-07-28/server/tools in the MCP specification.
package schema

import (
	"context"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// A Fault is something wrong with a schema as its author wrote it.
type Fault struct {
	Pointer string // JSON pointer to the key or value at fault; empty: the schema as a whole
	Message string
	Hint    string // what to do next; may be empty
}

// An Input is the compiled input schema of a tool. It never changes and is safe
// for any number of goroutines.
type Input struct {
	*compiled
	headers    []HeaderParam
	properties []Property
	open       bool
}

// A Property is a top-level property of an input schema.
type Property struct {
	Name      string
	Required  bool // always there, once the arguments are valid
	Default   bool // filled in where it is missing
	WriteOnly bool // its values are secrets
}

// A HeaderParam is an argument that clients repeat in an Mcp-Param header.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http,
// "Custom Headers from Tool Parameters".
type HeaderParam struct {
	Header string   // what follows "Mcp-Param-"
	Path   []string // property names from the root of the arguments
	Type   string   // "string", "integer" or "boolean"
}

// CompileInput compiles a tool's input schema. What the author left unsaid is
// implied first: "type": "object", "properties": {}, and
// "additionalProperties": false where the schema neither says nor composes what
// else may come. The Input is nil where there is a fault; the faults are all
// there are, in the document's order, and point into doc.
func CompileInput(doc jsontree.Node) (*Input, []Fault) {
	if doc.Kind != jsontree.Object {
		return nil, []Fault{{Message: "an input schema is an object, and this is " + describe(doc)}}
	}
	c, faults := compile(doc, imply(doc), inputRoot)
	if c == nil {
		return nil, faults
	}
	return newInput(c), nil
}

func newInput(c *compiled) *Input {
	in := &Input{compiled: c}
	in.headers = headersOf(c.root)
	in.properties, in.open = propertiesOf(c.root)
	return in
}

// Headers returns the arguments that travel in headers too, in the schema's order.
func (in *Input) Headers() []HeaderParam { return in.headers }

// Properties returns the top-level properties in the schema's order: the
// schema's own, then those that allOf, $ref and the like bring in.
func (in *Input) Properties() []Property { return in.properties }

// Open tells whether arguments beyond [Input.Properties] can pass.
func (in *Input) Open() bool { return in.open }

// An Output is the compiled output schema of a tool. It never changes and is
// safe for any number of goroutines.
type Output struct {
	*compiled
	objectOnly bool
}

// CompileOutput compiles a tool's output schema; nothing is implied. The faults
// are as for [CompileInput].
func CompileOutput(doc jsontree.Node) (*Output, []Fault) {
	if doc.Kind != jsontree.Object {
		return nil, []Fault{{Message: "an output schema is an object, and this is " + describe(doc)}}
	}
	c, faults := compile(doc, doc, nil)
	if c == nil {
		return nil, faults
	}
	t, ok := doc.Get("type")
	return &Output{compiled: c, objectOnly: ok && t.Kind == jsontree.String && t.Text == "object"}, nil
}

// ObjectOnly tells whether the schema's type is "object", written so, as
// clients of older revisions want it to be.
func (out *Output) ObjectOnly() bool { return out.objectOnly }

// Validate checks a result. The error is an [*OutputError], a
// [*jsontree.CapError] where checking would take too long, or the cause of ctx
// where that ends first.
func (out *Output) Validate(ctx context.Context, doc jsontree.Node) error {
	effort := newEffort(ctx, &doc)
	defer effort.done()
	f, err := out.check(&doc, effort)
	if err != nil || f == nil {
		return about(err, "the result")
	}
	e := new(OutputError)
	e.Faults, e.More = out.explain(f, &doc)
	return e
}

// Published returns the schema that is enforced, as JSON: the author's with
// what is implied, keys in their order. It is shared and must not be changed.
func (c *compiled) Published() []byte { return c.published }

// Warnings tells what works here and is probably not meant, or not understood
// by well-known hosts, in the document's order.
func (c *compiled) Warnings() []Fault { return c.warnings }

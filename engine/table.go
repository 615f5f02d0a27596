package engine

import (
	"context"
	"crypto/sha256"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/spell"
	"github.com/starmcp/starmcp/engine/schema"
)

// A Table is a frozen set of tools. It never changes and is safe for any
// number of goroutines. It is a [Service].
type Table struct {
	catalogue *Catalogue
	tools     []*Tool // in the catalogue's order
	byName    map[string]*Tool
	digest    string
	program   *program
}

// newTable makes a table of tools that are sorted by name.
func newTable(tools []*Tool, identity Identity, from *program) *Table {
	t := &Table{tools: tools, byName: make(map[string]*Tool, len(tools)), digest: from.digest(), program: from}
	t.catalogue = &Catalogue{Identity: identity, Tools: make([]*Descriptor, len(tools))}
	digest := sha256.New()
	identity.hash(digest)
	for i, tool := range tools {
		t.byName[tool.Descriptor.Name] = tool
		t.catalogue.Tools[i] = tool.Descriptor
		tool.Descriptor.hash(digest)
	}
	t.catalogue.Digest = shortHash(digest)
	return t
}

// A Tool is one loaded tool file.
type Tool struct {
	Descriptor  *Descriptor
	File        string      // relative to the directory
	Needs       Needs       // what it uses
	Coverage    []Coverage  // which grants allow that
	Annotations Annotations // as derived and published
	Limits      Limits      // in force for a call of it

	call    *starlark.Function
	context *builtins.Object // ctx without what differs from call to call
	input   *schema.Input
	output  *schema.Output // nil: none
	host    Host
	scale   *scale // nil: nobody looks at the memory of calls

	sourceLine func(path string, line int) string // of a file it was made from

	// prepare evaluates the file and sets call, input and output, once. Nil:
	// they are set.
	prepare func() error
}

// Catalogue lists the tools.
func (t *Table) Catalogue() *Catalogue { return t.catalogue }

// Digest names the text of the files that the table was made from: where it is
// equal, so are they. The catalogue has a digest of its own, since most changes
// of the text do not change what clients see.
func (t *Table) Digest() string { return t.digest }

// Tools returns the tools, sorted by name. They are shared and must not be changed.
func (t *Table) Tools() []*Tool { return t.tools }

// Tool returns the named tool, or nil.
func (t *Table) Tool(name string) *Tool { return t.byName[name] }

// Nearest returns the name of a tool that is probably meant, or "".
func (t *Table) Nearest(name string) string {
	names := make([]string, len(t.tools))
	for i, tool := range t.tools {
		names[i] = tool.Descriptor.Name
	}
	return spell.Nearest(name, names)
}

// Do answers one request.
func (t *Table) Do(ctx context.Context, req Request) Outcome {
	if req.Kind == List {
		return Outcome{Catalogue: t.catalogue}
	}
	tool := t.byName[req.Tool]
	switch {
	case tool == nil:
		return Outcome{Status: Unknown}
	case req.Refusal != "":
		return Outcome{Status: Refused, Reason: HeadersDiffer, Message: req.Refusal}
	}
	return tool.invoke(ctx, req)
}

// Arguments returns what call would be given for raw arguments of a tool. See
// [Toolset].
func (t *Table) Arguments(ctx context.Context, tool string, raw []byte) (arguments []byte, notes []string, refused *Outcome) {
	found := t.byName[tool]
	if found == nil {
		return nil, nil, &Outcome{Status: Unknown}
	}
	return found.Arguments(ctx, raw)
}

// Arguments returns what call would be given for raw arguments, as JSON, with
// what the agent would be told of it; or the outcome that refuses them. Nothing
// runs.
func (t *Tool) Arguments(ctx context.Context, raw []byte) (arguments []byte, notes []string, refused *Outcome) {
	if out := t.ready(); out != nil {
		return nil, nil, out
	}
	bound, err := t.bind(ctx, raw)
	if err != nil {
		out := (&call{ctx: ctx, tool: t, secrets: bound.Secrets}).argumentFault(err)
		return nil, nil, &out
	}
	return bound.Arguments.AppendJSON(nil), bound.Notes, nil
}

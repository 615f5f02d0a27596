package engine

import (
	"context"
	"errors"
)

// A Toolset is a [Service] whose tools can be looked into: a [*Table], or what
// stands before one that is elsewhere.
type Toolset interface {
	Service
	// Digest names the text of the files that the tools were made from.
	Digest() string
	// Tools returns the tools, sorted by name. They must not be changed.
	Tools() []*Tool
	// Tool returns the named tool, or nil.
	Tool(name string) *Tool
	// Nearest returns the name of a tool that is probably meant, or "".
	Nearest(name string) string
	// Arguments returns what call would be given for raw arguments, as JSON,
	// with what the agent would be told of it; or the outcome that refuses
	// them. Nothing runs.
	Arguments(ctx context.Context, tool string, raw []byte) (arguments []byte, notes []string, refused *Outcome)
}

var _ Toolset = (*Table)(nil)

// Outline makes a table of an image that can be looked at and not called: it
// holds no Starlark value. Calls of its tools are faults.
func (image *Image) Outline() *Table {
	p := newProgram(nil, nil)
	for _, fi := range image.Files {
		p.add(&file{path: fi.Path, text: fi.Text})
	}
	tools := make([]*Tool, len(image.Tools))
	for i := range image.Tools {
		t := image.Tools[i].tool()
		t.prepare = func() error { return errors.New("this table only tells of its tools: they run elsewhere") }
		tools[i] = t
	}
	return newTable(tools, image.Identity, p)
}

// tool is what an image tells of a tool.
func (ti *ToolImage) tool() *Tool {
	return &Tool{
		Descriptor: &ti.Descriptor, File: ti.File, Needs: ti.Needs,
		Coverage: ti.Coverage, Annotations: ti.Annotations, Limits: ti.Limits,
	}
}

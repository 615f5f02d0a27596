package engine

import "context"

// A Table is a frozen set of tools. It never changes and is safe for any
// number of goroutines. It is a [Service].
type Table struct {
	catalogue *Catalogue
	tools     []*Tool
}

// Catalogue lists the tools.
func (t *Table) Catalogue() *Catalogue { return t.catalogue }

// Tools returns the tools, sorted by name. They are shared and must not be changed.
func (t *Table) Tools() []*Tool { return t.tools }

// Do answers one request.
func (t *Table) Do(ctx context.Context, req Request) Outcome { return Outcome{} }

// A Tool is one loaded tool file.
type Tool struct {
	Descriptor  *Descriptor
	File        string      // relative to the directory
	Needs       Needs       // what it uses
	Coverage    []Coverage  // which grants allow that
	Annotations Annotations // as derived and published
	Limits      Limits      // in force for a call of it
}

// Annotations are MCP's hints, as far as they are known.
type Annotations struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    *bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool  `json:"destructiveHint,omitempty"`
	Idempotent  *bool  `json:"idempotentHint,omitempty"`
	OpenWorld   *bool  `json:"openWorldHint,omitempty"`
}

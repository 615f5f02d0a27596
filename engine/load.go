package engine

import (
	"io/fs"

	"github.com/starmcp/starmcp/builtins"
)

// Options say how a directory is loaded. The zero value grants nothing.
type Options struct {
	Policy        Policy                                   // nil: no capability can be needed
	AssumeGranted bool                                     // well-formed needs are taken as granted
	Only          []string                                 // patterns of tool names to load ("disk_*"); nil: as server.star says, else all
	Modules       []*builtins.Module                       // further modules for scripts, beside the ones shipped
	Print         func(file string, line int, text string) // what scripts print while they load; nil: dropped
}

// A Report is what loading a directory came to. Table is nil as soon as there
// is a problem: a directory is served whole or not at all.
type Report struct {
	Table    *Table
	Problems Problems // sorted by position
	Warnings Problems // what works here and may not with well-known hosts; sorted
	Files    int      // Starlark files read
	Skipped  []string // files passed over, and why, one line each
}

// Load reads and evaluates every tool below fsys. It touches nothing else, so
// the same tree and options give the same report.
func Load(fsys fs.FS, opts Options) *Report {
	return &Report{}
}

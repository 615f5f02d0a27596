package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"go.starlark.net/syntax"

	"github.com/starmcp/starmcp/builtins"
)

// Options say how a directory is loaded. The zero value grants nothing.
type Options struct {
	Policy        Policy                                   // nil: no capability can be needed
	AssumeGranted bool                                     // well-formed needs are taken as granted
	Only          []string                                 // patterns of tool names to load ("disk_*"); nil: as server.star says, else all
	Modules       []*builtins.Module                       // further modules for scripts, beside the ones shipped
	Print         func(file string, line int, text string) // what scripts print while they load; nil: dropped. Called by many goroutines
	Watch         Watch                                    // for loaders that may not outlive what they load
	WatchMemory   bool                                     // calls that hold more live memory than their limit end; for processes with one call at a time
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
func Load(fsys fs.FS, opts Options) *Report { return TakeSnapshot(fsys).Load(opts) }

// Load evaluates every tool of the snapshot.
func (s *Snapshot) Load(opts Options) *Report {
	if s.Error != "" {
		return &Report{Problems: Problems{{File: ".", Message: "cannot be read: " + s.Error}}}
	}
	if err := builtins.Check(opts.Modules); err != nil {
		return &Report{Problems: Problems{{File: ".", Message: "Options.Modules: " + err.Error()}}}
	}
	l := &loader{opts: opts, sources: s.sources(), workshop: newWorkshop(opts)}
	if l.policy = opts.Policy; l.policy == nil {
		l.policy = noPolicy{}
	}
	return l.load()
}

// A loader is one run of Load.
type loader struct {
	*workshop
	opts    Options
	sources *sources
	program *program
	server  server
	policy  Policy
	tools   []*Tool
	names   map[string]string // of the tools that there could be, by file, as far as known
}

func (l *loader) load() *Report {
	l.program = newProgram(l.predeclared, l.opts.Print)
	l.program.sources, l.program.watch = l.sources, l.opts.Watch
	l.program.deadline = time.Now().Add(loadInAll)
	tools, modules := l.sources.paths(roleTool), l.sources.paths(roleModule)
	l.program.compileAll(slices.Concat(tools, modules, l.sources.paths(roleServer)))
	l.program.reportCycles()

	l.readServer()
	tools = l.selected(tools)
	l.program.keep(slices.Concat(tools, modules, []string{serverFile}))
	l.program.evaluateAll(slices.Concat(tools, modules))
	l.makeTools(tools)
	l.dropUnchosen()
	l.checkChoice()
	l.checkDuplicates(tools)
	return l.report()
}

// readServer evaluates server.star, where there is one, and applies its grants.
func (l *loader) readServer() {
	f := l.program.files[serverFile]
	if f == nil {
		return
	}
	l.program.evaluateAll([]string{serverFile})
	if f.globals == nil {
		return
	}
	l.server = readServer(f)
	policy, errs := l.policy.With(l.server.grants, serverFile)
	f.addNeedErrors("grants", errs)
	l.policy = policy
}

// selected returns the files of the tools that are to be loaded at all. Those
// whose text does not tell their name are among them: see dropUnchosen.
func (l *loader) selected(paths []string) []string {
	l.names = make(map[string]string, len(paths))
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		name, told := l.program.files[p].nameInText()
		l.names[p] = name
		return told && !l.chosen(name)
	})
}

// chosen tells whether a tool of this name is to be loaded.
func (l *loader) chosen(name string) bool {
	return (l.server.only == nil || matches(l.server.only, name)) && (l.opts.Only == nil || matches(l.opts.Only, name))
}

// dropUnchosen takes out the tools that turned out to have another name than
// was asked for, with all that is wrong with them.
func (l *loader) dropUnchosen() {
	l.tools = slices.DeleteFunc(l.tools, func(t *Tool) bool {
		if l.chosen(t.Descriptor.Name) {
			return false
		}
		l.program.files[t.File].problems = nil
		return true
	})
}

// checkChoice tells which patterns of server.star choose nothing.
func (l *loader) checkChoice() {
	names := slices.Sorted(maps.Values(l.names))
	checkPatterns(l.server.only, names, func(i int, hint, message string) {
		l.program.files[serverFile].addAt("tools", fmt.Sprintf("/%d", i), hint, "%s", message)
	})
}

func (l *loader) makeTools(paths []string) {
	made := make([]*Tool, len(paths))
	l.opts.Watch.each(len(paths), func(i int) {
		f := l.program.files[paths[i]]
		if f.globals == nil {
			return
		}
		l.opts.Watch.work(f, func() {
			t := newTool(f, l.policy, l.opts)
			l.finish(t, l.program)
			made[i] = t
		})
	})
	for _, t := range made {
		if t != nil {
			l.tools = append(l.tools, t)
			l.names[t.File] = t.Descriptor.Name
		}
	}
	slices.SortStableFunc(l.tools, func(a, b *Tool) int { return cmp.Compare(a.Descriptor.Name, b.Descriptor.Name) })
}

// line returns a line of one of the program's files.
func (p *program) line(path string, n int) string {
	if f := p.files[path]; f != nil {
		return f.line(n)
	}
	return ""
}

// checkDuplicates finds names that differ in case at most. A file that did not
// evaluate counts with the name that its text tells.
func (l *loader) checkDuplicates(paths []string) {
	first := make(map[string]*file)
	for _, p := range paths {
		f := l.program.files[p]
		name := l.names[p]
		if !l.chosen(name) {
			continue
		}
		was := first[strings.ToLower(name)]
		if was == nil {
			first[strings.ToLower(name)] = f
			continue
		}
		problem := f.addf(f.namePosition(), `give one of them another name = "..."`, "the tool %q is defined twice, first in %s", name, was.path)
		at := was.namePosition()
		problem.Related = append(problem.Related, Related{File: was.path, Line: int(at.Line), Col: int(at.Col), Message: "first defined here"})
	}
}

func (f *file) namePosition() syntax.Position {
	if f.syntax == nil {
		return syntax.Position{Line: 1, Col: 1}
	}
	pos, _ := f.assignment("name")
	return pos
}

func (l *loader) report() *Report {
	r := &Report{Skipped: l.sources.Skipped}
	for _, f := range l.program.files {
		r.Problems = append(r.Problems, f.problems...)
		r.Files++
	}
	r.Problems = r.Problems.settle()
	r.Warnings = l.warnings()
	if len(r.Problems) == 0 {
		r.Table = l.table()
	}
	return r
}

func (l *loader) table() *Table {
	l.scale.settle()
	return newTable(l.tools, l.server.identity, l.program)
}

// digest names the text of all files that were compiled.
func (p *program) digest() string {
	digest := sha256.New()
	for _, path := range p.sortedPaths() {
		hashFields(digest, path, string(p.files[path].text))
	}
	return shortHash(digest)
}

func shortHash(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:16] }

// noPolicy is a policy without capabilities.
type noPolicy struct{}

func (noPolicy) With(grants Needs, _ string) (Policy, []NeedError) { return noPolicy{}, nil }
func (noPolicy) Coverage(Needs) []Coverage                         { return nil }

func (noPolicy) Review(needs Needs) []NeedError {
	var errs []NeedError
	for _, capability := range slices.Sorted(maps.Keys(needs)) {
		errs = append(errs, NeedError{Capability: capability, Index: -1, Message: fmt.Sprintf("nothing here can offer the capability %q", capability)})
	}
	return errs
}

func (noPolicy) Host(string, Needs) Host { return noHost{} }

// noHost performs nothing.
type noHost struct{}

func (noHost) Perform(_ context.Context, e Effect) (any, error) {
	return nil, Effectf(Denied, "%s: this server offers its tools no effects", e.Kind)
}

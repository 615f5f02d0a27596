package main

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// A reporter prints what is wrong with a directory, for people.
type reporter struct {
	w      io.Writer
	dir    string // as it was typed
	colour palette
}

func newReporter(w io.Writer, dir string) reporter {
	return reporter{w: w, dir: dir, colour: paletteFor(w)}
}

// problems prints each problem with its line and a caret below the place.
func (r reporter) problems(list engine.Problems) {
	for _, p := range list {
		r.problem(p, "")
	}
}

// warnings prints warnings the same way, and says that they are no more.
func (r reporter) warnings(list engine.Problems) {
	for _, p := range list {
		r.problem(p, r.colour.yellow("warning:")+" ")
	}
}

func (r reporter) problem(p engine.Problem, label string) {
	p.File = r.shownPath(p.File)
	hint, ownLine := p.Hint, ""
	switch {
	case len(hint) > shortHint:
		hint, ownLine = "", hint
	case hint != "":
		hint = " (" + hint + ")"
	}
	fmt.Fprintf(r.w, "%s: %s%s\n", p.Position(), label, printable(p.Message+hint))
	if p.Source != "" && p.Line > 0 {
		line, caret := excerpt(p.Source, p.Col)
		fmt.Fprintf(r.w, "    %s\n", line)
		if caret != "" {
			fmt.Fprintf(r.w, "    %s\n", caret)
		}
	}
	for _, also := range p.Related {
		at := engine.Problem{File: r.shownPath(also.File), Line: also.Line, Col: also.Col}
		fmt.Fprintf(r.w, "    %s: %s\n", at.Position(), printable(also.Message))
	}
	if ownLine != "" {
		fmt.Fprintf(r.w, "    %s\n", printable(ownLine))
	}
}

// shortHint is the longest hint, in bytes, that stands behind its message.
const shortHint = 48

// path joins a file's path to the directory's, with slashes everywhere.
func (r reporter) path(file string) string {
	return path.Join(filepath.ToSlash(r.dir), file)
}

// shownPath is path as it can stand in a line for people: a file's name may hold
// line ends, and what steers a terminal. Programs get it as it is.
func (r reporter) shownPath(file string) string {
	return strings.NewReplacer("\n", "?", "\t", "?").Replace(printable(r.path(file)))
}

// failure prints what is wrong with a directory that cannot be used, and what
// that entails ("; not serving").
func (r reporter) failure(report *loaded, consequence string) {
	r.problems(report.Problems)
	fmt.Fprintf(r.w, "\n%s  %s in %d of %s%s\n", r.colour.red("FAIL"),
		count(len(report.Problems), "problem"), filesOf(report.Problems), count(report.Files, "file"), consequence)
}

// success prints the closing line about a directory without problems. strict
// says that warnings spoil it.
func (r reporter) success(report *loaded, strict bool) {
	warned := ""
	if n := len(report.Warnings); n > 0 {
		warned = ", " + count(n, "warning")
	}
	if strict && warned != "" {
		fmt.Fprintf(r.w, "\n%s  no problems%s, and --strict\n", r.colour.red("FAIL"), warned)
		return
	}
	fmt.Fprintf(r.w, "%s  %s in %s%s, digest %.8s\n", r.colour.green("ok"),
		count(len(report.Tools.Tools()), "tool"), count(report.Files, "file"), warned, report.Tools.Digest())
}

// filesOf counts the files that problems are in.
func filesOf(list engine.Problems) int {
	files := make(map[string]bool)
	for _, p := range list {
		files[p.File] = true
	}
	return len(files)
}

// count returns a number and its noun: "1 tool", "2 tools".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// json prints a report for programs. Lists are never null.
func (r reporter) json(report *loaded) error {
	return printJSON(r.w, struct {
		Problems engine.Problems `json:"problems"`
		Warnings engine.Problems `json:"warnings"`
	}{r.located(report.Problems), r.located(report.Warnings)})
}

// located returns a copy with every path joined to the directory's.
func (r reporter) located(list engine.Problems) engine.Problems {
	out := make(engine.Problems, 0, len(list))
	for _, p := range list {
		p.File = r.path(p.File)
		related := make([]engine.Related, 0, len(p.Related))
		for _, also := range p.Related {
			also.File = r.path(also.File)
			related = append(related, also)
		}
		p.Related = related
		out = append(out, p)
	}
	return out
}

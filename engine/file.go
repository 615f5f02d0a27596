package engine

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/starmcp/starmcp/builtins/spell"
)

// dialect is Starlark as specified, with sets. Nothing else is turned on: no
// while, no recursion, no top-level control flow, so that a script always ends.
var dialect = &syntax.FileOptions{Set: true}

// A file is one Starlark file, read and compiled, and what is wrong with it.
type file struct {
	path     string
	text     []byte
	syntax   *syntax.File
	program  *starlark.Program
	encoded  []byte // the program as it came in an image; nil: it was compiled here
	loads    []load
	globals  starlark.StringDict // frozen; nil until evaluated without a problem
	problems Problems
}

// A load is one load statement of a file.
type load struct {
	name string           // as written
	path string           // cleaned, relative to the directory
	stmt *syntax.LoadStmt // nil in a file of an image, which was checked before
}

// guard does a part of loading the file. A panic in it is a problem of the
// file, so that one file does not end the process.
func (f *file) guard(do func()) {
	defer func() {
		if r := recover(); r != nil {
			f.addf(syntax.Position{}, "this is a fault in starmcp: please report it, with the file", "loading panics: %v", r)
		}
	}()
	do()
}

// compile parses and resolves the file, and collects every problem of that.
func (f *file) compile(predeclared starlark.StringDict) {
	if !f.isText() {
		return
	}
	tree, err := dialect.Parse(f.path, f.text, 0)
	if err != nil {
		f.addError(err)
		return
	}
	f.syntax = tree
	f.findLoads()
	program, err := starlark.FileProgram(tree, predeclared.Has)
	if err != nil {
		f.addError(err)
		return
	}
	f.program = program
}

// isText tells whether the file is UTF-8, and adds a problem where it is not.
// The interpreter would not mind, and a client would be sent something else.
func (f *file) isText() bool {
	if utf8.Valid(f.text) {
		return true
	}
	pos := syntax.MakePosition(&f.path, 1, 1)
	for rest := f.text; ; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			f.addf(pos, "save the file as UTF-8", "the byte 0x%02x is not UTF-8", rest[0])
			return false
		case r == '\n':
			pos.Line, pos.Col = pos.Line+1, 1
		default:
			pos.Col++
		}
		rest = rest[size:]
	}
}

// findLoads resolves the paths of the load statements. A path is relative to
// the directory's root and may not lead out of it.
func (f *file) findLoads() {
	for _, stmt := range f.syntax.Stmts {
		stmt, ok := stmt.(*syntax.LoadStmt)
		if !ok {
			continue
		}
		name := stmt.ModuleName()
		clean := path.Clean(name)
		switch {
		case path.IsAbs(name) || strings.Contains(name, `\`):
			f.addf(stmt.Module.TokenPos, "paths are relative to the directory's root, with slashes",
				"cannot load %q: not a path inside of this directory", name)
		case clean == ".." || strings.HasPrefix(clean, "../"):
			f.addf(stmt.Module.TokenPos, "paths are relative to the directory's root, not to this file",
				"cannot load %q: it leads out of this directory", name)
		case !strings.HasSuffix(clean, ".star"):
			f.addf(stmt.Module.TokenPos, "", "cannot load %q: the name of a Starlark file ends with .star", name)
		default:
			f.loads = append(f.loads, load{name: name, path: clean, stmt: stmt})
		}
	}
}

// addf adds a problem at a position.
func (f *file) addf(pos syntax.Position, hint, format string, args ...any) *Problem {
	f.problems = append(f.problems, Problem{
		File: f.path, Line: int(pos.Line), Col: int(pos.Col),
		Message: fmt.Sprintf(format, args...), Hint: hint, Source: f.line(int(pos.Line)),
	})
	return &f.problems[len(f.problems)-1]
}

// addError adds each problem that an error of the interpreter stands for.
func (f *file) addError(err error) {
	var list resolve.ErrorList
	var syntaxErr syntax.Error
	switch {
	case errors.As(err, &list):
		for _, e := range list {
			message, hint := splitHint(e.Msg)
			f.addf(e.Pos, hint, "%s", message)
		}
	case errors.As(err, &syntaxErr):
		message, hint := splitHint(syntaxErr.Msg)
		f.addf(syntaxErr.Pos, hint, "%s", message)
	default:
		f.addf(syntax.Position{}, "", "%s", err)
	}
}

// splitHint takes "did you mean" out of the interpreter's messages, and adds
// hints to those that authors stumble over.
func splitHint(message string) (string, string) {
	if i := strings.Index(message, " (did you mean "); i > 0 && strings.HasSuffix(message, ")") {
		return message[:i], message[i+2 : len(message)-1]
	}
	if frozen.MatchString(message) {
		return message, "values of a file are frozen once it is loaded: make a copy, or keep what changes in a local variable"
	}
	return message, dialectHints[message]
}

// frozen matches what the interpreter says of changes to a value that no longer
// can be changed.
var frozen = regexp.MustCompile(`cannot [a-z+= ]+ frozen (list|hash table)$`)

// dialectHints say what to write instead of what this dialect leaves out.
var dialectHints = map[string]string{
	"if statement not within a function":                 "move it into a function, or write a conditional expression: a if condition else b",
	"for loop not within a function":                     "move it into a function, or write a comprehension: [x for x in items]",
	"this Starlark dialect does not support while loops": "loop over range(n), with n the most that can be needed",
}

// line returns the nth line of the file, from 1, or "".
func (f *file) line(n int) string {
	rest := string(f.text)
	for ; n > 1; n-- {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return ""
		}
		rest = after
	}
	if n < 1 {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimRight(line, "\r")
}

// bindLoads checks that what the load statements name is there.
func (f *file) bindLoads(globalsOf func(path string) starlark.StringDict) {
	for _, l := range f.loads {
		globals := globalsOf(l.path)
		if globals == nil || l.stmt == nil {
			continue // reported where it is wrong, or checked before
		}
		for _, from := range l.stmt.From {
			if globals.Has(from.Name) {
				continue
			}
			hint := ""
			if near := spell.Nearest(from.Name, globals.Keys()); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			f.addf(from.NamePos, hint, "%s defines no %q", l.path, from.Name)
		}
	}
}

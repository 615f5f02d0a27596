package builtins_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/builtins"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TestScripts runs testdata/*.star. A file is chunks between lines of "---",
// each a program of its own; a statement that must fail says so at the end of
// its line: ### "regular expression". Scripts have every pure module, a ctx over
// a made-up machine, and eq(got, want).
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.star")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts:", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			first := 1
			for chunk := range strings.SplitSeq(string(data), "\n---\n") {
				runChunk(t, file, first, chunk)
				first += strings.Count(chunk, "\n") + 2
			}
		})
	}
}

var expectation = regexp.MustCompile(`### (".*")$`)

// runChunk runs a program that begins at a line of file.
func runChunk(t *testing.T, file string, first int, chunk string) {
	want, wantLine := "", 0
	for i, line := range strings.Split(chunk, "\n") {
		if m := expectation.FindStringSubmatch(line); m != nil {
			var err error
			if want, err = strconv.Unquote(m[1]); err != nil || wantLine != 0 {
				t.Fatalf("%s:%d: one quoted expectation a chunk, please: %v", file, first+i, err)
			}
			wantLine = first + i
		}
	}
	source := strings.Repeat("\n", first-1) + chunk
	opts := &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}
	_, err := starlark.ExecFileOptions(opts, new(starlark.Thread), file, source, environment())
	if err == nil {
		if wantLine != 0 {
			t.Errorf("%s:%d: no error, want %q", file, wantLine, want)
		}
		return
	}
	if matched, _ := regexp.MatchString(want, err.Error()); wantLine == 0 || !matched || !passes(err, int32(wantLine)) {
		t.Errorf("%s: %s\nwant at line %d: %q", backtrace(err), err, wantLine, want)
	}
}

// passes reports whether a line is on the way to where an error arose.
func passes(err error, line int32) bool {
	var evalErr *starlark.EvalError
	return errors.As(err, &evalErr) && slices.ContainsFunc(evalErr.CallStack, func(f starlark.CallFrame) bool {
		return f.Pos.Line == line
	})
}

func backtrace(err error) string {
	if evalErr := (*starlark.EvalError)(nil); errors.As(err, &evalErr) {
		return evalErr.CallStack.String()
	}
	return ""
}

func environment() starlark.StringDict {
	env := builtins.Predeclared(builtins.Pure())
	env["ctx"] = builtins.NewContext(builtins.Context(), func(string) bool { return true }, machine)
	env["stat_only"] = builtins.NewContext(builtins.Context(), func(c string) bool { return c == "stat" }, machine)
	env["bare"] = builtins.NewContext(builtins.Context(), func(string) bool { return false }, machine)
	env["eq"] = starlark.NewBuiltin("eq", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var got, want starlark.Value
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &got, &want); err != nil {
			return nil, err
		}
		if same, err := starlark.Equal(got, want); err != nil || !same || got.Type() != want.Type() {
			return nil, fmt.Errorf("got %v (%s), want %v (%s) %v", got, got.Type(), want, want.Type(), err)
		}
		return starlark.None, nil
	})
	return env
}

// effectError is a failed effect, as a host reports it.
type effectError struct{ kind, message string }

func (e effectError) Error() string        { return e.message }
func (e effectError) FailedEffect() string { return e.kind }

// machine performs effects on files that are not there. It echoes the request
// of what it does not know.
func machine(_ *starlark.Thread, _ *builtins.Func, kind string, args map[string]any) (any, error) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("elsewhere", 3600))
	path, _ := args["path"].(string)
	switch {
	case kind == "now":
		return at, nil
	case kind == "sleep", kind == "log":
		return nil, nil
	case path == "/missing":
		return nil, effectError{"not_found", "/missing: no such file"}
	case path == "/secret":
		return nil, effectError{"denied", "/secret is not among the tool's needs"}
	case path == "/cancelled":
		return nil, errors.New("the call was cancelled")
	case path == "/wrong":
		return 17, nil
	}
	switch kind + " " + path {
	case "fs.read /latin1":
		return []byte("caf\xe9\n"), nil
	case "fs.read /lines":
		return []byte("one\r\ntwo\n\nfour"), nil
	case "fs.read /cut":
		return []byte("\xa9tail é\xc3"), nil
	case "fs.read /request":
		return fmt.Appendf(nil, "%v", args), nil
	case "fs.list /dir":
		return []any{map[string]any{"name": "a", "type": "file"}, map[string]any{"name": "b", "type": "dir"}}, nil
	case "fs.stat /file":
		return map[string]any{"path": "/file", "type": "file", "size": int64(5), "mode": int64(0o644), "mtime": at, "uid": int64(0), "gid": int64(0), "target": nil}, nil
	case "fs.usage /":
		return map[string]any{"total": int64(100), "free": int64(40), "available": int64(30), "used": int64(60), "inodes": int64(9), "inodes_free": int64(8)}, nil
	case "fs.glob ":
		return []any{"/a/1", "/a/2"}, nil
	}
	return nil, fmt.Errorf("unexpected effect %s %v", kind, args)
}

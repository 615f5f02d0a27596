package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// TestErrors reads testdata/errors/*.star. A file is a sequence of chunks, each
// a tool file of its own, with lines of three dashes between them. A comment
// ### "regexp" says that a problem is expected on its line, whose message and
// hint, joined by a blank, match; several may stand on one line. No other
// problem may come up. # name: NAME names the chunk's file, which is else
// NAME_OF_FILE.star; # file: PATH begins a further file of the same directory.
func TestErrors(t *testing.T) {
	paths, _ := filepath.Glob("../testdata/errors/*.star")
	if len(paths) == 0 {
		t.Fatal("no files in testdata/errors")
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for _, chunk := range strings.Split(string(text), "\n---\n") {
			name := fmt.Sprintf("%s:%d", filepath.Base(p), line)
			t.Run(name, func(t *testing.T) { testChunk(t, filepath.Base(p), chunk) })
			line += strings.Count(chunk, "\n") + 2
		}
	}
}

var (
	expectation = regexp.MustCompile(`### (.*)$`)
	quoted      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	nextFile    = regexp.MustCompile(`(?m)^# file: (\S+)\n`)
)

func testChunk(t *testing.T, base, chunk string) {
	fsys := make(fstest.MapFS)
	rest := chunk
	name := base
	for {
		at := nextFile.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		if at[0] > 0 {
			fsys[name] = &fstest.MapFile{Data: []byte(rest[:at[0]])}
		}
		name, rest = rest[at[2]:at[3]], rest[at[1]:]
	}
	fsys[name] = &fstest.MapFile{Data: []byte(rest)}

	type place struct {
		file string
		line int
	}
	want := make(map[place][]string)
	for file, f := range fsys {
		for i, line := range strings.Split(string(f.Data), "\n") {
			if m := expectation.FindStringSubmatch(line); m != nil {
				for _, q := range quoted.FindAllString(m[1], -1) {
					pattern, err := strconv.Unquote(q)
					if err != nil {
						t.Fatalf("%s:%d: %s: %v", file, i+1, q, err)
					}
					want[place{file, i + 1}] = append(want[place{file, i + 1}], pattern)
				}
			}
		}
	}
	report := Load(fsys, Options{Policy: testPolicy{}})
	for _, p := range report.Problems {
		at := place{p.File, max(p.Line, 1)}
		text := strings.TrimSpace(p.Message + " " + p.Hint)
		found := false
		for i, pattern := range want[at] {
			if regexp.MustCompile(pattern).MatchString(text) {
				want[at] = append(want[at][:i:i], want[at][i+1:]...)
				found = true
				break
			}
		}
		if !found {
			t.Errorf("unexpected problem at %s: %s", p.Position(), text)
		}
	}
	for at, patterns := range want {
		for _, pattern := range patterns {
			t.Errorf("no problem at %s:%d matches %q", at.file, at.line, pattern)
		}
	}
	if len(report.Problems) == 0 && report.Table == nil {
		t.Error("neither a table nor problems")
	}
}

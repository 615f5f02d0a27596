package main

import (
	"strings"
	"testing"

	"github.com/starmcp/starmcp/engine"
)

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		name, source string
		col          int
		line, caret  string
	}{
		{"at the start", "return x", 1, "return x", "^"},
		{"inside", "return x", 8, "return x", "       ^"},
		{"behind the end", "f(", 3, "f(", "  ^"},
		{"far behind the end", "f(", 30, "f(", "  ^"},
		{"unknown column", "return x", 0, "return x", ""},
		{"tabs stay tabs", "\treturn x", 9, "\treturn x", "\t       ^"},
		{"letters, not bytes", "é = ü", 5, "é = ü", "    ^"},
		{"carriage return", "x = 1\r\n", 1, "x = 1", "^"},
		{"steering a terminal", "x = \x1b[31m", 1, "x = \uFFFD[31m", "^"},
		{"long, at the start", long, 1, long[:excerptWidth], "^"},
		{"long, in the middle", long, 200, long[:excerptWidth], strings.Repeat(" ", 50) + "^"},
		{"long, at the end", long, 300, long[:excerptWidth], strings.Repeat(" ", 99) + "^"},
	} {
		t.Run(test.name, func(t *testing.T) {
			line, caret := excerpt(test.source, test.col)
			if line != test.line {
				t.Errorf("line %q, want %q", line, test.line)
			}
			if caret != test.caret {
				t.Errorf("caret %q, want %q", caret, test.caret)
			}
		})
	}
}

func TestProblemOnPaper(t *testing.T) {
	var out strings.Builder
	newReporter(&out, "./tools/").problems(engine.Problems{
		{File: "a.star", Line: 3, Col: 5, Message: "undefined: citty", Hint: "did you mean city?", Source: "    citty"},
		{File: "lib/b.star", Message: "the file is over 256 KiB"},
		{
			File: "c.star", Line: 1, Col: 1, Message: "the tool is defined twice",
			Hint:    "give one of them another name, which nothing else in the directory has",
			Related: []engine.Related{{File: "d.star", Line: 2, Col: 1, Message: "first defined here"}},
		},
		{
			File: "\x1b[31mred\n.star", Line: 1, Col: 1, Message: "a name that steers a terminal",
			Related: []engine.Related{{File: "\u009b2J\t.star", Line: 2, Col: 1, Message: "like \x1b]0;this"}},
		},
	})
	const want = `tools/a.star:3:5: undefined: citty (did you mean city?)
        citty
        ^
tools/lib/b.star: the file is over 256 KiB
tools/c.star:1:1: the tool is defined twice
    tools/d.star:2:1: first defined here
    give one of them another name, which nothing else in the directory has
tools/?[31mred?.star:1:1: a name that steers a terminal
    tools/?2J?.star:2:1: like ?]0;this
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

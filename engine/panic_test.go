package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/starmcp/starmcp/builtins"
)

// broken is a module of Go code that panics, and has a value that does.
var broken = &builtins.Module{
	Name: "broken",
	Funcs: []*builtins.Func{{
		Name: "now",
		Call: func(*starlark.Thread, []starlark.Value) (starlark.Value, error) { panic("a module that panics") },
	}},
	Consts: []builtins.Const{{Name: "when", Value: brokenValue{}}},
}

type brokenValue struct{ starlark.NoneType }

func (brokenValue) String() string { panic("a value that panics") }

func (brokenValue) CompareSameType(syntax.Token, starlark.Value, int) (bool, error) {
	panic("a value that panics")
}

// A panic below a script is a fault of its call alone. The log is told where in
// the script it happened, and where in Go.
func TestPanics(t *testing.T) {
	policy := testPolicy{answers: map[string]any{
		"fs.read": func(Effect) (any, error) { panic("a host that panics") },
	}}
	for _, c := range []struct{ code, what string }{
		{`sorted([2, 1], key = lambda x: broken.now())`, "a module that panics"},
		{`sorted([broken.when, broken.when])`, "a value that panics"},
		{`max(broken.when, broken.when)`, "a value that panics"},
		{`str([broken.when])`, "a value that panics"},
		{`broken.now()`, "a module that panics"},
		{`ctx.fs.read("/x")`, "a host that panics"},
		{`ctx.attempt(ctx.fs.read, "/x")`, "a host that panics"},
	} {
		report := Load(mapFS(map[string]string{"tool.star": fmt.Sprintf(`"""Panics, if it is to."""
needs = {"read": ["/x"]}
input_schema = {"properties": {"panic": {"type": "boolean"}}}
def call(ctx, panic = False):
    if panic:
        return %s
    return "fine"
`, c.code)}), Options{Policy: policy, Modules: []*builtins.Module{broken}})
		if report.Table == nil {
			t.Fatal(report.Problems)
		}
		out := call1(t, report.Table, `{"panic": true}`)
		if out.Status != Fault || out.Class != ClassPanic || out.Reference == "" || out.Content != nil {
			t.Errorf("%s: a client would see %s", c.code, show(out))
		}
		for _, want := range []string{"HostPanic: panic: ", c.what, "  at tool.star:6:", "\n      return " + c.code, "goroutine "} {
			if !strings.Contains(out.Detail, want) {
				t.Errorf("%s: no %q in\n%s", c.code, want, out.Detail)
			}
		}
		if got := show(call1(t, report.Table, `{}`)); got != `{"type":"text","text":"fine"} ` {
			t.Errorf("%s: the next call gets %s", c.code, got)
		}
	}
}

// While files are loaded, a panic is a problem of the line in the script, told
// beside the problems of other files.
func TestPanicsWhileLoading(t *testing.T) {
	report := Load(mapFS(map[string]string{
		"a.star":       "\"\"\"A tool.\"\"\"\nload(\"lib/big.star\", \"big\")\nx = big(3)\ndef call(ctx):\n    return x\n",
		"b.star":       "\"\"\"Another tool.\"\"\"\nx = [\n    str([broken.when]),\n]\ndef call(ctx):\n    return x\n",
		"c.star":       "\"\"\"A third.\"\"\"\ndef call(ctx):\n    return nothing\n",
		"lib/big.star": "def big(n):\n    return broken.now()\n",
	}), Options{Modules: []*builtins.Module{broken}})
	var got []string
	for _, p := range report.Problems {
		got = append(got, fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Message))
	}
	want := []string{"b.star:3 panic: a value that panics", "c.star:3 undefined: nothing", "lib/big.star:2 panic: a module that panics"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

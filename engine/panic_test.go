package engine

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
)

// A panic below a script is a fault of its call alone. The log is told where in
// the script it happened, and where in Go.
func TestPanics(t *testing.T) {
	broken := &builtins.Module{Name: "broken", Funcs: []*builtins.Func{{
		Name: "now",
		Call: func(*starlark.Thread, []starlark.Value) (starlark.Value, error) { panic("a module that panics") },
	}}}
	policy := testPolicy{answers: map[string]any{
		"fs.read": func(Effect) (any, error) { panic("a host that panics") },
	}}
	for _, c := range []struct{ code, what string }{
		{`list(range(1 << 62))`, "makeslice"},
		{`sorted(range(1 << 62))`, "makeslice"},
		{`enumerate(range(1 << 62))`, "makeslice"},
		{`tuple(range(1 << 62))`, "makeslice"},
		{`reversed(range(1 << 62))`, "makeslice"},
		{`sorted([2, 1], key = lambda x: list(range(1 << 62)))`, "makeslice"},
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

package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

// alike compares outcomes: references are random, the Go stack in the details of
// a panic is another one, and details of lost processes are not here to be seen.
var alike = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b engine.Outcome) bool {
		return cmp.Equal(plainOutcome(a), plainOutcome(b), cmpopts.EquateEmpty())
	}),
}

func plainOutcome(o engine.Outcome) map[string]any {
	var log []string
	for _, attr := range o.Log {
		log = append(log, attr.String())
	}
	var content []string
	for _, b := range o.Content {
		content = append(content, b.Type+" "+string(b.JSON))
	}
	detail, _, _ := strings.Cut(o.Detail, "\ngoroutine ")
	if o.Class == engine.ClassPanic {
		detail = strings.SplitN(detail, "\n", 2)[0]
	}
	return map[string]any{
		"status": o.Status, "content": content, "structured": string(o.Structured), "has structured": o.Structured != nil,
		"summary": o.Summary, "notes": o.Notes, "error": o.IsError, "reason": o.Reason, "message": o.Message,
		"class": o.Class, "has reference": len(o.Reference) == 12, "log": log, "detail": detail,
	}
}

// A call through a pool comes to what it comes to in this process.
func TestSameOutcomes(t *testing.T) {
	scripts := []string{
		`return "plain"`,
		`return None`,
		`return b"a\xff"`,
		`return {"z": 1, "a": [1.0, 2], "m": None}`,
		`return (1 << 64) - 1`,
		`return result.content(["a", result.image(b"x", "image/png"), result.link("https://a.example/", "a"), result.resource("file:///a", "text", "text/plain")])`,
		`return result.audio(b"x", "audio/wav")`,
		`return result.json([1], summary = "one number")`,
		`return result.error("try later")`,
		`fail("no such host:", "db", 7)`,
		`return call`,
		`return {"disks": [{"ratio": float("nan")}]}`,
		`return {}["secret"]`,
		`return deep({})`,
		`return evil.panic()`,
		`return [ctx.client.name, ctx.client.version, ctx.caller, ctx.tool.name, ctx.tool.read_only]`,
		`return ctx.now()`,
		`return ctx.sleep("1ms")`,
		`return ctx.fs.read("/x")`,
		`return ctx.fs.exists("/run/x")`,
		`return ctx.fs.stat("/run/x")`,
		`return ctx.fs.usage("/")`,
		`return ctx.fs.list("/")`,
		`return ctx.attempt(ctx.fs.stat, "/run/x").error`,
		`return [ctx.fs.read("/%d" % i) for i in range(100)]`,
		`return "x" * (2 << 20)`,
		`return "\x01" * (1 << 20)`,
		`return ["x" * 1000] * 2000`,
		`return ["x" * 1000] * 1000`,
		`return arguments`,
		`print(arguments["password"], "and more")`,
		`fail("wrong password " + arguments["password"])`,
		`return len([i for i in range(1000) for j in range(100000)])`,
		"for i in range(1000):\n        print(\"x\" * 100)",
	}
	files := map[string]string{"lib/deep.star": "def deep(d):\n    return d[\"deeper\"]\n"}
	names := make(map[string]string)
	for i, script := range scripts {
		name := "tool_" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		names[name] = script
		files[name+".star"] = tool(`load("lib/deep.star", "deep")
input_schema = {"properties": {"n": {"type": "integer", "maximum": 10}, "password": {"type": "string", "writeOnly": True, "default": "unguessable"}}, "additionalProperties": True}
needs = {"read": ["/x"]}
limits = {"steps": 1000000}
def call(ctx, **arguments):
    ` + script + "\n")
	}
	here, there := new(world), new(world)
	report := engine.Load(mapFS(files), engine.Options{Policy: here, AssumeGranted: true, Modules: []*builtins.Module{evil}})
	if report.Table == nil {
		t.Fatal(report.Problems)
	}
	pool := start(t, load(t, files), there, sandbox.Options{})
	for name, script := range names {
		for _, arguments := range []string{`{}`, `{"n": "3"}`, `{"n": 11}`, `{"password": "correct horse", "é": [1, 1.5, 123456789012345678901234567890]}`, `[1]`, `{"n": "x"}`, `{`} {
			want, got := do(t, report.Table, name, arguments), do(t, pool, name, arguments)
			if diff := cmp.Diff(plainOutcome(want), plainOutcome(got)); diff != "" {
				t.Errorf("%s with %s: %s", script, arguments, diff)
			}
			wantArguments, wantNotes, wantRefused := report.Table.Arguments(t.Context(), name, []byte(arguments))
			gotArguments, gotNotes, gotRefused := pool.Arguments(t.Context(), name, []byte(arguments))
			if !cmp.Equal(wantArguments, gotArguments, cmpopts.EquateEmpty()) || !cmp.Equal(wantNotes, gotNotes, cmpopts.EquateEmpty()) || !cmp.Equal(wantRefused, gotRefused, alike) {
				t.Errorf("%s explained with %s: %s %q %v, want %s %q %v", script, arguments, gotArguments, gotNotes, gotRefused, wantArguments, wantNotes, wantRefused)
			}
			if want, got := here.take(), there.take(); want != got {
				t.Errorf("%s with %s: the log is\n%.500s\nwant\n%.500s", script, arguments, got, want)
			}
		}
	}
	big := `{"password": "` + strings.Repeat("x", 2<<20) + `"}`
	if diff := cmp.Diff(plainOutcome(do(t, report.Table, "tool_aa", big)), plainOutcome(do(t, pool, "tool_aa", big))); diff != "" {
		t.Error(diff)
	}
}

// What needs no script is answered as by the table.
func TestSameTools(t *testing.T) {
	files := map[string]string{
		"a.star":   tool("title = \"A\"\nneeds = {\"read\": [\"/a\"]}\noutput_schema = {\"type\": \"object\"}\nmeta = {\"x\": 1}\nlimits = {\"timeout\": \"1s\"}\ndef call(ctx):\n    return {}\n"),
		"abc.star": tool("def call(ctx):\n    return {}\n"),
	}
	table := engine.Load(mapFS(files), engine.Options{Policy: new(world), AssumeGranted: true}).Table
	pool := start(t, load(t, files), new(world), sandbox.Options{})
	if diff := cmp.Diff(table.Catalogue(), pool.Catalogue()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(table.Catalogue(), pool.Do(t.Context(), engine.Request{Kind: engine.List}).Catalogue); diff != "" {
		t.Error(diff)
	}
	if table.Digest() != pool.Digest() || pool.Nearest("abd") != "abc" {
		t.Error(pool.Digest(), pool.Nearest("abd"))
	}
	if diff := cmp.Diff(table.Tools(), pool.Tools(), cmpopts.IgnoreUnexported(engine.Tool{})); diff != "" {
		t.Error(diff)
	}
	for _, req := range []engine.Request{
		{Kind: engine.Call, Tool: "none"},
		{Kind: engine.Call, Tool: "abc", Refusal: "headers differ"},
		{Kind: engine.Call, Tool: "abc"},
	} {
		if want, got := table.Do(t.Context(), req), pool.Do(t.Context(), req); !cmp.Equal(want, got, alike) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if _, _, refused := pool.Arguments(t.Context(), "none", nil); refused == nil || refused.Status != engine.Unknown {
		t.Error(refused)
	}
}

// A tool of a pool reaches its own host, and nothing that its host refuses.
func TestEffects(t *testing.T) {
	w := new(world)
	pool := start(t, load(t, map[string]string{
		"a.star": tool("needs = {\"read\": [\"/a\"]}\ndef call(ctx):\n    ctx.log(\"one\", n = 1)\n    x = ctx.fs.read(\"/a\")\n    print(\"two\")\n    ctx.fs.read(\"/b\")\n    ctx.log(\"three\")\n    return x\n"),
		"b.star": tool("needs = {\"read\": [\"/b\"]}\ndef call(ctx):\n    return ctx.fs.read(\"/big\")\n"),
	}), w, sandbox.Options{})
	if out := do(t, pool, "a", ""); len(out.Content) != 1 || string(out.Content[0].JSON) != `{"type":"text","text":"/a"}` {
		t.Errorf("%+v", out)
	}
	if got, want := w.take(), "a: one map[n:1]\n/a\na: two map[at:a.star:6]\n/b\na: three map[]"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out := do(t, pool, "b", ""); out.Class != engine.ClassEffect || !out.IsError {
		t.Errorf("a huge answer: %+v", out)
	}
	none := start(t, load(t, map[string]string{"a.star": tool("def call(ctx):\n    return ctx.now()\n")}), nil, sandbox.Options{})
	if out := do(t, none, "a", ""); out.Class != engine.ClassEffect {
		t.Errorf("without a policy: %+v", out)
	}
}

// What cancels a call reaches the script and the effect that it waits for.
func TestCancel(t *testing.T) {
	w := new(world)
	pool := start(t, load(t, map[string]string{
		"sleeps.star": tool("def call(ctx):\n    ctx.log(\"ready\")\n    ctx.sleep(\"1h\")\n"),
		"works.star":  tool("def call(ctx):\n    ctx.log(\"ready\")\n    for i in range(1 << 40):\n        pass\n"),
		"spins.star":  tool("def call(ctx):\n    ctx.log(\"ready\")\n    evil.spin()\n"),
		"calm.star":   tool("def call(ctx):\n    return 1\n"),
	}), w, sandbox.Options{})
	for _, name := range []string{"sleeps", "works", "spins"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		w.onLog(func() { cancel(errors.New("the client went away")) })
		out := pool.Do(ctx, engine.Request{Kind: engine.Call, Tool: name})
		if out.Class != engine.ClassCancelled || !out.IsError {
			t.Errorf("%s: %+v", name, out)
		}
		w.onLog(nil)
		if out := do(t, pool, "calm", ""); out.IsError || out.Status != engine.OK {
			t.Errorf("after %s: %+v", name, out)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if out := pool.Do(ctx, engine.Request{Kind: engine.Call, Tool: "sleeps"}); out.Class != engine.ClassCancelled {
		t.Errorf("cancelled before: %+v", out)
	}
}

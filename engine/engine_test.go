package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
)

// mustLoad loads files, which must be without problems.
func mustLoad(t testing.TB, policy Policy, files map[string]string) *Table {
	t.Helper()
	report := Load(mapFS(files), Options{Policy: policy})
	if len(report.Problems) > 0 {
		t.Fatal(report.Problems)
	}
	return report.Table
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// one loads a directory of one tool, whose file is a doc string and text.
func one(t testing.TB, text string) *Table {
	return mustLoad(t, testPolicy{logged: new(log)}, map[string]string{"tool.star": "\"\"\"A tool.\"\"\"\n" + text})
}

// call1 calls the tool called "tool".
func call1(t testing.TB, table *Table, arguments string) Outcome {
	return table.Do(t.Context(), Request{Kind: Call, Tool: "tool", Arguments: json.RawMessage(arguments)})
}

// reopened is a table that went through an image.
func reopened(t testing.TB, table *Table, policy Policy) *Table {
	t.Helper()
	image, err := table.Image()
	if err != nil {
		t.Fatal(err)
	}
	return image.Open(Options{Policy: policy})
}

// show writes what the client would see of an outcome, and its class.
func show(out Outcome) string {
	var b strings.Builder
	if out.Status != OK {
		fmt.Fprintf(&b, "%s ", [...]string{Unauthorized: "unauthorized", Unknown: "unknown", Refused: "refused", Fault: "fault"}[out.Status])
	}
	if out.IsError {
		b.WriteString("error ")
	}
	for _, block := range out.Content {
		fmt.Fprintf(&b, "%s ", block.JSON)
	}
	if out.Structured != nil {
		fmt.Fprintf(&b, "%s %q ", out.Structured, out.Summary)
	}
	if out.Message != "" {
		fmt.Fprintf(&b, "%q ", out.Message)
	}
	for _, note := range out.Notes {
		fmt.Fprintf(&b, "note %q ", note)
	}
	return b.String() + out.Class
}

func TestResults(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"text", `return "plain"`, `{"type":"text","text":"plain"} `},
		{"nothing", `return None`, ``},
		{"bytes are text", `return b"a\xff"`, `{"type":"text","text":"a�"} `},
		{"dict keeps its order", `return {"z": 1, "a": [1.0, 2], "m": None}`, `{"z":1,"a":[1.0,2],"m":null} "2 a in structuredContent." `},
		{"two lists", `return {"a": [], "b": []}`, `{"a":[],"b":[]} "a, b in structuredContent." `},
		{"empty dict", `return {}`, `{} "An empty object in structuredContent." `},
		{"list", `return [1]`, `[1] "1 item in structuredContent." `},
		{"tuple and set", `return (1, set([2]))`, `[1,[2]] "2 items in structuredContent." `},
		{"range", `return range(3)`, `[0,1,2] "3 items in structuredContent." `},
		{"characters", `return "ab".elems()`, `["a","b"] "2 items in structuredContent." `},
		{"characters without a length", `return "ab".codepoints()`, `["a","b"] "A list in structuredContent." `},
		{"dict with a range", `return {"n": range(2), "x": 1}`, `{"n":[0,1],"x":1} "2 n in structuredContent." `},
		{"many keys", `return {"k%d" % i: i for i in range(14)}`, `{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k11":11,"k12":12,"k13":13} "k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, and 2 more in structuredContent." `},
		{"a key of two lines", `return {"a\nb": 1}`, `{"a\nb":1} "\"a\\nb\" in structuredContent." `},
		{"a long key", `return {"é" * 33: 1}`, `{"ééééééééééééééééééééééééééééééééé":1} "éééééééééééééééééééééééééééééééé... in structuredContent." `},
		{"empty struct", `return struct()`, `{} "An empty object in structuredContent." `},
		{"struct", `return struct(host = "a", up = True)`, `{"host":"a","up":true} "host, up in structuredContent." `},
		{"number", `return 1.0`, `1.0 "1.0" `},
		{"big int", `return (1 << 64) - 1`, `18446744073709551615 "18446744073709551615" `},
		{"bool", `return False`, `false "false" `},
		{"time", `return time.parse_time("2026-01-02T03:04:05+02:00")`, `"2026-01-02T01:04:05Z" "\"2026-01-02T01:04:05Z\"" `},
		{"duration", `return time.parse_duration("90s")`, `"1m30s" "\"1m30s\"" `},
		{"summary", `return result.json([1], summary = "one number")`, `[1] "one number" `},
		{"blocks", `return result.content(["a", result.image(b"x", "image/png")])`, `{"type":"text","text":"a"} {"type":"image","data":"eA==","mimeType":"image/png"} `},
		{"error", `return result.error("try later")`, `error {"type":"text","text":"try later"} ToolError`},
		{"fail", `fail("no such host:", "db", 7)`, `error {"type":"text","text":"no such host: db 7"} ToolError`},
		{"function", `return call`, `fault ResultError`},
		{"nan", `return {"disks": [{"ratio": float("nan")}]}`, `fault ResultError`},
		{"cycle", "d = {}\n    d[\"self\"] = d\n    return d", `fault ResultError`},
		{"key", `return {1: 2}`, `fault ResultError`},
		{"bug", `return {}["secret"]`, `fault EvalError`},
		{"recursion", `return call(ctx)`, `fault EvalError`},
		{"huge range", `return list(range(1 << 62))`, `error {"type":"text","text":"list: 4611686018427387904 elements do not fit into the memory limit of 64 MiB, which holds 4194304 at most; ask for less at once"} MemoryLimit`},
		{"needs", `return ctx.fs.read("/etc/passwd")`, `fault EvalError`},
		{"client", `return [ctx.client.name, ctx.client.version, ctx.caller, ctx.tool.name, ctx.tool.read_only]`, `["","",null,"tool",true] "5 items in structuredContent." `},
		{"now", `return ctx.now()`, `"2026-01-02T03:04:05Z" "\"2026-01-02T03:04:05Z\"" `},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := one(t, "def call(ctx):\n    "+c.script+"\n")
			if got := show(call1(t, table, "")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := show(call1(t, reopened(t, table, testPolicy{}), "")); got != c.want {
				t.Errorf("reopened: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestOutputSchema(t *testing.T) {
	for _, c := range []struct{ schema, script, want string }{
		{`{"type": "object", "properties": {"t": {"type": "number"}}}`, `{"t": 1.5}`, `{"t":1.5} "t in structuredContent." `},
		{`{"type": "object", "properties": {"t": {"type": "number"}}}`, `{"t": "warm"}`, `fault OutputSchemaError`},
		{`{"type": "object"}`, `"plain"`, `fault OutputSchemaError`},
		{`{"type": "object"}`, `None`, `fault OutputSchemaError`},
		{`{"type": "object"}`, `result.text("x")`, `fault OutputSchemaError`},
		{`{"type": "object"}`, `result.error("no")`, `error {"type":"text","text":"no"} ToolError`},
		{`{"type": "string"}`, `"plain"`, `"plain" "plain" `},
		{`{"type": ["object", "null"]}`, `None`, `null "" `},
		{`{"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}`, `[1, 2]`, `[1,2] "2 items in structuredContent." `},
	} {
		table := one(t, "output_schema = "+c.schema+"\ndef call(ctx):\n    return "+c.script+"\n")
		if got := show(call1(t, table, "")); got != c.want {
			t.Errorf("%s of %s: got  %s\nwant %s", c.schema, c.script, got, c.want)
		}
		if got := show(call1(t, reopened(t, table, testPolicy{}), "")); got != c.want {
			t.Errorf("%s of %s, reopened: got  %s\nwant %s", c.schema, c.script, got, c.want)
		}
	}
}

func TestEffects(t *testing.T) {
	logged := new(log)
	policy := testPolicy{logged: logged, answers: map[string]any{
		"fs.read":  []byte("one\ntwo\n"),
		"fs.stat":  Effectf(NotFound, "there is no /run/x"),
		"fs.usage": fmt.Errorf("a host that breaks its word"),
		"fs.list":  func(Effect) (any, error) { panic("a host that panics") },
		"fs.glob":  Effectf(Denied, "/etc is not among the tool's needs"),
	}}
	for _, c := range []struct{ script, want string }{
		{`ctx.fs.read("/x")`, `{"type":"text","text":"one\ntwo\n"} `},
		{`ctx.fs.lines("/x")`, `["one","two"] "2 items in structuredContent." `},
		{`ctx.fs.exists("/run/x")`, `false "false" `},
		{`ctx.fs.stat("/run/x")`, `error {"type":"text","text":"there is no /run/x"} EffectError`},
		{`ctx.fs.usage("/")`, `fault EvalError`},
		{`ctx.fs.list("/")`, `fault HostPanic`},
		{`ctx.attempt(ctx.fs.glob, "/etc/*").error.kind`, `{"type":"text","text":"denied"} `},
		{`ctx.attempt(ctx.fs.read, "/x").value`, `{"type":"text","text":"one\ntwo\n"} `},
		{`ctx.attempt(lambda: fail("stop"))`, `error {"type":"text","text":"stop"} ToolError`},
		{`ctx.attempt(lambda: {}["bug"])`, `fault EvalError`},
		{`ctx.sleep("1ms")`, ``},
	} {
		table := mustLoad(t, policy, map[string]string{"tool.star": `"""A tool."""
needs = {"read": ["/x"]}
def call(ctx):
    return ` + c.script + "\n"})
		if got := show(call1(t, table, "")); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.script, got, c.want)
		}
	}
}

// What a fault tells the log, and what the client is not told.
func TestFaultDetail(t *testing.T) {
	table := mustLoad(t, testPolicy{}, map[string]string{
		"tool.star":     "\"\"\"A tool.\"\"\"\nload(\"lib/deep.star\", \"look\")\ndef call(ctx):\n    return look({})\n",
		"lib/deep.star": "CACHE = {}\ndef look(d):\n    return d[\"secret\"]\n",
	})
	for _, table := range []*Table{table, reopened(t, table, testPolicy{})} {
		testFaultDetail(t, table)
	}
	again := reopened(t, reopened(t, table, testPolicy{}), testPolicy{})
	if again.Digest() != table.Digest() || again.Catalogue().Digest != table.Catalogue().Digest {
		t.Error("the digests differ after a table went through an image")
	}
}

func testFaultDetail(t *testing.T, table *Table) {
	out := call1(t, table, "{}")
	want := `EvalError: key "secret" not in dict
  at lib/deep.star:3:13 in look
      return d["secret"]
  at tool.star:4:16 in call
      return look({})`
	if out.Detail != want {
		t.Errorf("got\n%s\nwant\n%s", out.Detail, want)
	}
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(out.Reference) || out.Content != nil || out.Message != "" {
		t.Errorf("a client would see %+v", out)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, limits, script, want string }{
		{"steps", `{"steps": 1000}`, "for i in range(1 << 40):\n        pass", `error {"type":"text","text":"the call took more than its limit of 1000 steps; ask for less at once"} StepLimit`},
		{"time", `{"timeout": "50ms"}`, "for i in range(1 << 40):\n        pass", `error {"type":"text","text":"the call took longer than its limit of 50ms"} Timeout`},
		{"time in an effect", `{"timeout": "50ms"}`, `ctx.attempt(ctx.sleep, "1h")`, `error {"type":"text","text":"the call took longer than its limit of 50ms"} Timeout`},
		{"text", `{"output": 10}`, `return "é" * 6`, `{"type":"text","text":"ééééé\n[cut: these are the first 10 of 12 bytes; ask for less at once]"} `},
		{"a character is not cut", `{"output": 9}`, `return "é" * 6`, `{"type":"text","text":"éééé\n[cut: these are the first 8 of 12 bytes; ask for less at once]"} `},
		{"text blocks together", `{"output": 4}`, `return result.content(["abc", "def"])`, `{"type":"text","text":"abc"} {"type":"text","text":"d\n[cut: these are the first 1 of 3 bytes; ask for less at once]"} `},
		{"one text block", `{"output": 2}`, `return result.text("abc")`, `{"type":"text","text":"ab\n[cut: these are the first 2 of 3 bytes; ask for less at once]"} `},
		{"image", `{"output": 20}`, `return result.image(b"x", "image/png")`, `error {"type":"text","text":"the result is bigger than the limit of 20 bytes"} OutputLimit`},
		{"structured", `{"output": 8}`, `return ["é", "é", "é"]`, `error {"type":"text","text":"The result is bigger than the limit of 8 bytes, so it is not sent as structured data. Ask for less at once. It begins (7 bytes shown):"} {"type":"text","text":"[\"é\",\""} OutputLimit`},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := one(t, "limits = "+c.limits+"\ndef call(ctx):\n    "+c.script+"\n")
			if got := show(call1(t, table, "")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLog(t *testing.T) {
	logged := new(log)
	table := mustLoad(t, testPolicy{logged: logged}, map[string]string{"tool.star": `"""A tool."""
input_schema = {"properties": {"key": {"type": "string", "writeOnly": True}}, "required": ["key"]}
limits = {"output": "1KiB"}
def call(ctx, key):
    print("key", key)
    ctx.log("using " + key, key = key, list = [key])
    for i in range(100):
        print("x" * 1000)
    fail("bad key " + key)
`})
	out := call1(t, table, `{"key": "hunter22"}`)
	if got := show(out); got != `error {"type":"text","text":"bad key ***"} ToolError` {
		t.Error(got)
	}
	lines := logged.all()
	if got := fmt.Sprint(lines[:2]); got != "[map[fields:map[at:tool.star:5] message:key ***] map[fields:map[key:*** list:[***]] message:using ***]]" {
		t.Error(got)
	}
	last := lines[len(lines)-1]["message"].(string)
	if !strings.HasPrefix(last, "print limit of 64 KiB reached") || len(lines) > 70 {
		t.Errorf("%d lines, the last %q", len(lines), last)
	}
}

// An argument that is called what another one holds gives no secret away.
func TestSecretAsName(t *testing.T) {
	table := one(t, "input_schema = {\"properties\": {\"key\": {\"writeOnly\": True}}}\ndef call(ctx, key = None):\n    return 1\n")
	want := `error {"type":"text","text":"The arguments do not fit the tool's input schema; nothing was run.\n/***: unknown argument (known: key)"} ArgumentsError`
	if got := show(call1(t, table, `{"key": "hunter22", "hunter22": 1}`)); got != want {
		t.Errorf("got %s", got)
	}
}

// Arguments that have to be mended are not, once their call has ended.
func TestArgumentsOfEndedCall(t *testing.T) {
	table := one(t, "input_schema = {\"properties\": {\"n\": {\"type\": \"integer\"}}}\ndef call(ctx, n = None):\n    return n\n")
	for _, c := range []struct {
		cause error
		want  string
	}{
		{ErrTimeout, `error {"type":"text","text":"the call took longer than its limit of 10s"} Timeout`},
		{context.Canceled, `error {"type":"text","text":"the call was cancelled"} Cancelled`},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(c.cause)
		if got := show(table.Do(ctx, Request{Kind: Call, Tool: "tool", Arguments: json.RawMessage(`{"n": "1"}`)})); got != c.want {
			t.Errorf("%v: got %s", c.cause, got)
		}
	}
}

func TestRequests(t *testing.T) {
	table := one(t, "def call(ctx):\n    return 1\n")
	for _, c := range []struct {
		req  Request
		want string
	}{
		{Request{Kind: Call, Tool: "nope"}, "unknown "},
		{Request{Kind: Call, Tool: "nope", Refusal: "headers"}, "unknown "},
		{Request{Kind: Call, Tool: "tool", Refusal: "headers"}, `refused "headers" `},
		{Request{Kind: Call, Tool: "tool", Arguments: json.RawMessage("null")}, `1 "1" `},
	} {
		if got := show(table.Do(t.Context(), c.req)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.req, got, c.want)
		}
	}
	if out := table.Do(t.Context(), Request{Kind: Call, Tool: "tool", Arguments: json.RawMessage("[1]")}); out.Status != Refused || out.Reason != NotAnObject {
		t.Errorf("an array as arguments: %s", show(out))
	}
	if out := table.Do(t.Context(), Request{Kind: List}); len(out.Catalogue.Tools) != 1 {
		t.Errorf("listed %+v", out.Catalogue)
	}
}

// No argument can take the place of the context.
func TestArgumentNamedAsContext(t *testing.T) {
	table := one(t, "input_schema = {\"additionalProperties\": True}\ndef call(ctx, **kwargs):\n    return kwargs\n")
	want := `error {"type":"text","text":"/ctx: expected no argument of this name, which this tool keeps for itself; leave it out"} ArgumentsError`
	if got := show(call1(t, table, `{"ctx": 1}`)); got != want {
		t.Errorf("got %s", got)
	}
}

// A tool is chosen by the name that it has, also where its text does not tell.
func TestChooseByComputedName(t *testing.T) {
	fsys := mapFS(map[string]string{
		"x.star": "\"\"\"X.\"\"\"\nname = \"a\" + \"b\"\ndef call(ctx):\n    return 1\n",
		"y.star": "\"\"\"Y.\"\"\"\nname = \"c\" + \"d\"\nneeds = {\"read\": [\"/secret\"]}\ndef call(ctx):\n    return 1\n",
	})
	for _, server := range []string{"", `tools = ["a*"]`} {
		fsys["server.star"] = &fstest.MapFile{Data: []byte(server)}
		opts := Options{Policy: testPolicy{}}
		if server == "" {
			opts.Only = []string{"ab"}
		}
		report := Load(fsys, opts)
		if len(report.Problems) > 0 || len(report.Table.Tools()) != 1 || report.Table.Tool("ab") == nil {
			t.Errorf("%q: %v", server, report.Problems)
		}
	}
	fsys["server.star"].Data = []byte(`tools = ["x"]`)
	if got := Load(fsys, Options{}).Problems.Error(); !strings.Contains(got, `"x" matches no tool (known are ab, cd)`) {
		t.Errorf("got %s", got)
	}
}

func TestModulesAreChecked(t *testing.T) {
	fn := &builtins.Func{Name: "f", Call: func(*starlark.Thread, []starlark.Value) (starlark.Value, error) { return starlark.None, nil }}
	for want, modules := range map[string][]*builtins.Module{
		"module 0 is nil":                               {nil},
		`module "json" is there already`:                {{Name: "json"}},
		`module "ops": the function "f" is there twice`: {{Name: "ops", Funcs: []*builtins.Func{fn, fn}}},
		`module "o-ps": a name is an identifier`:        {{Name: "o-ps"}},
		`module "ops": the function "g" has neither`:    {{Name: "ops", Funcs: []*builtins.Func{{Name: "g"}}}},
	} {
		if got := Load(fstest.MapFS{}, Options{Modules: modules}).Problems.Error(); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNumbersBeyondFloats(t *testing.T) {
	table := one(t, "input_schema = {\"properties\": {\"n\": {\"type\": \"number\"}}}\ndef call(ctx, n = 0):\n    return n\n")
	want := `error {"type":"text","text":"/n is 1e399, which is beyond the range of a float"} ArgumentsError`
	if got := show(call1(t, table, `{"n": 1e399}`)); got != want {
		t.Errorf("got %s", got)
	}
}

// A call gets values of its own, whatever another does with them.
func TestCallsAreApart(t *testing.T) {
	table := one(t, `
input_schema = {"properties": {"tags": {"type": "array", "default": ["a"]}, "n": {"type": "integer"}}, "required": ["n"]}
DEFAULTS = {"x": [1, 2]}
def call(ctx, tags, n):
    tags.append("b")
    ctx.log("call", n = n)
    return {"tags": tags, "n": n, "frozen": DEFAULTS, "sum": sum([i for i in range(1000)])}
def sum(list):
    total = 0
    for i in list:
        total += i
    return total
`)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			want := fmt.Sprintf(`{"tags":["a","b"],"n":%d,"frozen":{"x":[1,2]},"sum":499500}`, i)
			if out := call1(t, table, fmt.Sprintf(`{"n": "%d"}`, i)); string(out.Structured) != want {
				t.Errorf("got %s, want %s", show(out), want)
			}
		})
	}
	wg.Wait()
}

func TestDirectory(t *testing.T) {
	tool := func(doc string) string { return `"""` + doc + `"""` + "\ndef call(ctx):\n    return 1\n" }
	fsys := mapFS(map[string]string{
		"server.star":            `name = "ops"; title = "Ops"; version = "1.4"; instructions = "Read."; tools = ["disk*", "deep", "bom"]`,
		"disk.star":              tool("Disks.") + "title = \"Disks\"\n",
		"net/folder/deep.star":   "\"\"\"\n    Two\n      lines.\n    \"\"\"\nload(\"_hidden.star\", \"x\")\ndef call(ctx):\n    return x\n",
		"_hidden.star":           "x = 7\n",
		"bom.star":               "\ufeff" + tool("With a BOM."),
		"disk_test.star":         "broken(",
		"lib/units.star":         "def human(n):\n    return n\n",
		"net/lib/deep/u.star":    "x = 1\n",
		"testdata/x.star":        "broken(",
		".hidden.star":           "broken(",
		"..data/disk.star":       "broken(",
		"#disk.star#":            "broken(",
		"disk.star~":             "broken(",
		"4913":                   "broken(",
		".disk.star.swp":         "broken(",
		"not_chosen.star":        `needs = {"read": ["/secret"]}` + "\n" + "name = \"secret\"\ndef call(ctx):\n    return 1\n",
		"README.md":              "hello",
		"not_chosen_broken.star": "def call(:",
		"net/disks_renamed.star": tool("Renamed.") + "name = \"disk_two\"\n",
	})
	report := Load(fsys, Options{Policy: testPolicy{}})
	if len(report.Problems) > 0 {
		t.Fatal(report.Problems)
	}
	c := report.Table.Catalogue()
	var names []string
	for _, d := range c.Tools {
		names = append(names, d.Name)
		if c.Find(d.Name) != d {
			t.Errorf("cannot find %s", d.Name)
		}
	}
	if want := []string{"bom", "deep", "disk", "disk_two"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if c.Find("deep").Description != "Two\n  lines." || c.Find("disk").Title != "Disks" {
		t.Errorf("got %+v", *c.Find("deep"))
	}
	if c.Identity != (Identity{"ops", "Ops", "1.4", "Read."}) {
		t.Errorf("got %+v", c.Identity)
	}
	if again := Load(fsys, Options{Policy: testPolicy{}}).Table; again.Catalogue().Digest != c.Digest || again.Digest() != report.Table.Digest() {
		t.Error("the digest differs from one load to the next")
	}
	fsys["lib/units.star"].Data = append(fsys["lib/units.star"].Data, '\n')
	if again := Load(fsys, Options{Policy: testPolicy{}}).Table; again.Catalogue().Digest != c.Digest || again.Digest() == report.Table.Digest() {
		t.Error("a change that clients do not see must change the table's digest and not the catalogue's")
	}
	only := Load(fsys, Options{Policy: testPolicy{}, Only: []string{"disk"}})
	if len(only.Table.Tools()) != 1 {
		t.Errorf("--only disk loads %d tools", len(only.Table.Tools()))
	}
}

// What starmcp itself gets wrong about a file does not end the process.
func TestLoadSurvivesPanics(t *testing.T) {
	policy := panicPolicy{}
	report := Load(mapFS(map[string]string{"a.star": "\"\"\"A.\"\"\"\ndef call(ctx):\n    return 1\n"}), Options{Policy: policy})
	if got := report.Problems.Error(); !strings.HasPrefix(got, "a.star: loading panics: a policy that panics") {
		t.Errorf("got %q", got)
	}
}

type panicPolicy struct{ testPolicy }

func (panicPolicy) Review(Needs) []NeedError { panic("a policy that panics") }

func TestDescriptor(t *testing.T) {
	table := one(t, `
title = "T"
icons = [{"src": "https://example.com/i.png"}]
meta = {"com.example/x": 1}
annotations = {"title": "A", "idempotentHint": True}
input_schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
output_schema = {"type": "object"}
def call(ctx, region = None):
    return {}
`)
	got := string(encode(table.Catalogue().Tools[0]))
	want := `{"Name":"tool","Title":"T","Description":"A tool.","InputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"additionalProperties":false},` +
		`"OutputSchema":{"type":"object"},"ObjectOutput":true,"Annotations":{"title":"A","readOnlyHint":true,"idempotentHint":true,"openWorldHint":false},` +
		`"Icons":[{"src":"https://example.com/i.png"}],"Meta":{"com.example/x":1},"Headers":[{"Header":"Region","Path":["region"],"Type":"string"}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWarnings(t *testing.T) {
	report := Load(mapFS(map[string]string{
		"a.b.star":       "\"\"\"Dots.\"\"\"\ndef call(ctx):\n    return 1\n",
		"good.star":      "\"\"\"Good.\"\"\"\ndef call(ctx):\n    return 1\n",
		"good_test.star": "",
		"refs.star":      "\"\"\"Refs.\"\"\"\ninput_schema = {\"properties\": {\"x\": {\"type\": [\"string\", \"null\"]}}}\ndef call(ctx, x = None):\n    return 1\n",
	}), Options{})
	var got []string
	for _, w := range report.Warnings {
		got = append(got, w.Position()+": "+w.Message)
	}
	for i, want := range []string{`^a\.b\.star: the tool has no fixtures$`, `^a\.b\.star:1:1: several hosts reject names with a dot`, `^refs\.star: the tool has no fixtures$`, `^refs\.star:2:\d+: .*type`} {
		if i >= len(got) || !regexp.MustCompile(want).MatchString(got[i]) {
			t.Errorf("got %q, want %s at %d", got, want, i)
			break
		}
	}
}

func TestSymlinks(t *testing.T) {
	tool := &fstest.MapFile{Data: []byte("\"\"\"T.\"\"\"\ndef call(ctx):\n    return 1\n")}
	fsys := fstest.MapFS{
		"..2026/a.star": tool,
		"..data":        {Data: []byte("..2026"), Mode: linkMode},
		"a.star":        {Data: []byte("..data/a.star"), Mode: linkMode},
		"real/b.star":   tool,
		"alias":         {Data: []byte("real"), Mode: linkMode},
		"gone.star":     {Data: []byte("nowhere.star"), Mode: linkMode},
		"real/up":       {Data: []byte(".."), Mode: linkMode},
	}
	report := Load(fsys, Options{})
	if len(report.Problems) > 0 {
		t.Fatal(report.Problems)
	}
	var files []string
	for _, tool := range report.Table.Tools() {
		files = append(files, tool.File)
	}
	if want := []string{"a.star", "real/b.star"}; !slices.Equal(files, want) {
		t.Errorf("got %v, want %v", files, want)
	}
	if got := strings.Join(report.Skipped, "\n"); !strings.Contains(got, "gone.star leads nowhere") {
		t.Errorf("skipped %q", got)
	}
}

const linkMode = fs.ModeSymlink | 0o777

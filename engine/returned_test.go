package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// What cannot be sent is the author's fault: the client gets no part of it, and
// the log tells where in the value it is, and which function returned it.
func TestFaultsOfWhatIsReturned(t *testing.T) {
	for _, c := range []struct{ schema, code, class, detail string }{
		{"", `return {"mean": float("nan"), "max": float("inf")}`, ClassResult, "result.mean is NaN, which JSON cannot hold"},
		{"", `return {"mean": 1, "max": float("inf")}`, ClassResult, "result.max is +inf, which JSON cannot hold"},
		{"", `return {"disks": [{"ratio": 1}, {"ratio": -1e308 * 10}]}`, ClassResult, "result.disks[1].ratio is -inf, which JSON cannot hold"},
		{"", `return result.json({"a b": float("nan")}, summary = "numbers")`, ClassResult, `result["a b"] is NaN, which JSON cannot hold`},
		{"", "d = {}\n    d[\"self\"] = d\n    return d", ClassResult, "result.self contains itself"},
		{"", "l = [1]\n    l.append({\"l\": (l,)})\n    return {\"list\": l}", ClassResult, "result.list[1].l[0] contains itself"},
		{"", "l = []\n    for _ in range(10000):\n        l = [l]\n    return l", ClassResult, " nests deeper than 100 levels"},
		{"", `return {"f": call}`, ClassResult, "result.f is a function, which JSON cannot hold"},
		{"", `return {"ports": {80: "http"}}`, ClassResult, "result.ports has a key of type int, and JSON's keys are strings"},
		{`{"type": "object"}`, `return "plain"`, ClassOutputSchema, "the result does not fit the output schema: expected an object, got a string of 5 characters"},
		{`{"type": "object"}`, `return None`, ClassOutputSchema, "the result does not fit the output schema: expected an object, got null"},
		{`{"type": "object"}`, `return result.text("plain")`, ClassOutputSchema, "the tool returned content blocks, and its output_schema promises structured data: return a plain value, or result.json"},
		{`{"properties": {"t": {"type": "number"}}}`, `return {"t": "warm"}`, ClassOutputSchema, "the result does not fit the output schema: /t: expected a number, got a string of 4 characters"},
	} {
		schema := ""
		if c.schema != "" {
			schema = "output_schema = " + c.schema + "\n"
		}
		out := call1(t, one(t, schema+"def call(ctx):\n    "+c.code+"\n"), "")
		if out.Status != Fault || out.Class != c.class || out.Content != nil || out.Structured != nil {
			t.Errorf("%s: a client would see %s", c.code, show(out))
		}
		want := fmt.Sprintf("%s\n  at tool.star:%d:1 in call\n      def call(ctx):", c.detail, 2+strings.Count(schema, "\n"))
		if !strings.HasPrefix(out.Detail, c.class+": ") || !strings.HasSuffix(out.Detail, want) {
			t.Errorf("%s: got\n%s\nwant\n%s: %s", c.code, out.Detail, c.class, want)
		}
	}
}

// What is over the limit by far costs no more than what is over it a little,
// and leaves the agent something to go on with.
func TestHugeResults(t *testing.T) {
	texts := func(out Outcome) (texts []string) {
		for _, block := range out.Content {
			var b struct{ Text string }
			if err := json.Unmarshal(block.JSON, &b); err != nil || !utf8.ValidString(b.Text) {
				t.Fatalf("%.100s: %v", block.JSON, err)
			}
			texts = append(texts, b.Text)
		}
		return texts
	}

	out := call1(t, one(t, "def call(ctx):\n    return \"a\" + \"é\" * (5 << 20)\n"), "")
	got := texts(out)
	const note = "\n[cut: these are the first 1048575 of 10485761 bytes; ask for less at once]"
	if out.IsError || len(got) != 1 || len(got[0]) != 1<<20-1+len(note) || !strings.HasSuffix(got[0], "é"+note) {
		t.Errorf("text: isError %v, %d blocks, the first of %d bytes: %.20q ... %q", out.IsError, len(got), len(got[0]), got[0], got[0][len(got[0])-100:])
	}

	out = call1(t, one(t, "def call(ctx):\n    return {\"rows\": [\"é\" * 100] * (1 << 15)}\n"), "")
	got = texts(out)
	if !out.IsError || out.Structured != nil || out.Class != ClassOutput || len(got) != 2 ||
		!strings.Contains(got[0], "1 MiB") || !strings.HasPrefix(got[1], `{"rows":["éé`) || len(got[1]) > 64<<10 || len(got[1]) < 63<<10 {
		t.Errorf("structured: %.300s", show(out))
	}
}

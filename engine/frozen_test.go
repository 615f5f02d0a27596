package engine

import (
	"fmt"
	"strings"
	"testing"
)

// What a file defines outside of its functions is the same for every call, so
// none can change it. The log tells which line tries, and what to do instead.
func TestValuesOfFilesAreFrozen(t *testing.T) {
	const hint = "(values of a file are frozen once it is loaded: make a copy, or keep what changes in a local variable)"
	for _, code := range []string{
		`CACHE["k"] = 1`,
		`CACHE["old"] += 1`,
		`CACHE.update(k = 1)`,
		`CACHE.setdefault("k", [])`,
		`CACHE.pop("old")`,
		`CACHE.popitem()`,
		`CACHE.clear()`,
		`LIST.append(1)`,
		`LIST.extend([1])`,
		`LIST.insert(0, 1)`,
		`LIST.remove(1)`,
		`LIST.pop()`,
		`LIST.clear()`,
		`LIST[0] = 2`,
		`SET.add(2)`,
		`SET.remove(1)`,
		`STRUCT.deep["k"] = 1`,
		`LOADED["k"] = 1`,
		`remember("k")`,
		`COUNT()`,
		`collect(1)`,
	} {
		table := mustLoad(t, testPolicy{}, map[string]string{
			"tool.star": fmt.Sprintf(`"""Wants to remember."""
load("lib/state.star", "LOADED", "remember")
CACHE = {"old": 1}
LIST = [1]
SET = set([1])
STRUCT = struct(deep = {})
def counter():
    calls = []
    def count():
        calls.append(1)
    return count
COUNT = counter()
def collect(x, into = []):
    into.append(x)
def call(ctx):
    %s
`, code),
			"lib/state.star": "LOADED = {}\ndef remember(key):\n    LOADED[key] = 1\n",
		})
		for range 2 { // the second call finds what the first one found
			out := call1(t, table, "")
			if out.Status != Fault || out.Class != ClassEval || !strings.Contains(out.Detail, hint+"\n  at ") || !strings.Contains(out.Detail, "\n      "+code) {
				t.Errorf("%s: %s\n%s", code, show(out), out.Detail)
			}
		}
	}
}

// What is frozen can be read, copied, changed as a copy, and returned.
func TestFrozenValuesCanBeUsed(t *testing.T) {
	table := one(t, `
DEFAULTS = {"hosts": ["a"], "port": 80}
input_schema = {"properties": {"more": {"type": "object", "additionalProperties": True}}, "required": ["more"]}
def call(ctx, more):
    merged = DEFAULTS | more
    hosts = DEFAULTS["hosts"] + ["b"]
    more["changed"] = True
    return [merged, hosts, more, DEFAULTS]
`)
	want := `[{"hosts":["a"],"port":1},["a","b"],{"port":1,"changed":true},{"hosts":["a"],"port":80}]`
	for range 2 {
		if out := call1(t, table, `{"more": {"port": 1}}`); string(out.Structured) != want {
			t.Errorf("got %s, want %s", show(out), want)
		}
	}
}

package engine

import (
	"strings"
	"testing"
)

// watched is a table whose calls' memory is watched.
func watched(t testing.TB, files map[string]string, lazily bool) *Table {
	t.Helper()
	report := Load(mapFS(files), Options{WatchMemory: true})
	if len(report.Problems) > 0 {
		t.Fatal(report.Problems)
	}
	if !lazily {
		return report.Table
	}
	image, err := report.Table.Image()
	if err != nil {
		t.Fatal(err)
	}
	return image.Open(Options{WatchMemory: true})
}

// TestLiveMemory holds that calls are judged by what they hold on to, and not
// by what they leave behind or by what their files hold.
func TestLiveMemory(t *testing.T) {
	files := map[string]string{"tool.star": `"""Holds some MiB, and makes some MiB of garbage."""
input_schema = {"properties": {"live": {"type": "integer"}, "garbage": {"type": "integer"}}, "required": ["live", "garbage"]}
constants = ["x" * (1 << 20) for i in range(20)]
def call(ctx, live, garbage):
    held = ["x" * (1 << 20) for i in range(live)]
    for i in range(garbage):
        last = "x" * (1 << 20)
    return len(held)
`}
	for _, lazily := range []bool{false, true} {
		table := watched(t, files, lazily)
		for range 2 {
			if out := call1(t, table, `{"live": 48, "garbage": 200}`); show(out) != `48 "48" ` {
				t.Errorf("48 MiB live: %s", show(out))
			}
			out := call1(t, table, `{"live": 80, "garbage": 0}`)
			want := `error {"type":"text","text":"the call used more than its limit of 64 MiB of memory; ask for less at once"} MemoryLimit`
			if show(out) != want {
				t.Errorf("80 MiB live: %s", show(out))
			}
		}
	}
}

// TestMemoryUnwatched holds that nothing is said of memory where several calls
// can run at a time.
func TestMemoryUnwatched(t *testing.T) {
	table := one(t, `
def call(ctx):
    return len(["x" * (1 << 20) for i in range(80)])
`)
	if out := call1(t, table, `{}`); show(out) != `80 "80" ` {
		t.Error(show(out))
	}
}

// TestOneStepTooMuch holds what calls end with when a builtin refuses.
func TestOneStepTooMuch(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"limits = {'memory': 1 << 20}\ndef call(ctx):\n    return list(range(1 << 62))", "do not fit into the memory limit of 1 MiB, which holds 65536 at most; ask for less at once\"} MemoryLimit"},
		{"def call(ctx):\n    return list(range(1 << 62))", "do not fit into the memory limit of 64 MiB, which holds 4194304 at most; ask for less at once\"} MemoryLimit"},
		{"limits = {'memory': 1 << 20}\ndef call(ctx):\n    fail('x' * 2000000)", "fail: the text is longer than the memory limit of 1 MiB; ask for less at once\"} MemoryLimit"},
		{"def call(ctx):\n    return int('9' * 1000000)", "int: the string has more than 100000 digits, which is the limit\"} SizeLimit"},
		{"def call(ctx):\n    return json.decode('[' * 9000000)", "json.decode: 1:8388609: the JSON is larger than 8,388,608 bytes\"} SizeLimit"},
		{"def call(ctx):\n    return json.encode(['x' * 1000000] * 10)", "json.encode: the JSON of x is longer than 8388608 bytes\"} SizeLimit"},
		{"limits = {'steps': 100000}\ndef call(ctx):\n    return all(range(1, 1 << 62))", "the call took more than its limit of 100000 steps; ask for less at once\"} StepLimit"},
	} {
		if got := show(call1(t, one(t, c.script), `{}`)); !strings.HasPrefix(got, "error ") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s\ngives %s\nwant  %s", c.script, got, c.want)
		}
	}
}

// BenchmarkWatchMemory is what watching costs a script that computes.
func BenchmarkWatchMemory(b *testing.B) {
	files := map[string]string{"tool.star": "\"\"\"A tool.\"\"\"\ndef call(ctx):\n    n = 0\n    for i in range(100000):\n        n += i\n    return n\n"}
	for name, table := range map[string]*Table{"on": watched(b, files, false), "off": mustLoad(b, nil, files)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				call1(b, table, `{}`)
			}
		})
	}
}

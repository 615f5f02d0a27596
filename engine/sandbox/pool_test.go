package sandbox_test

import (
	"testing"

	"github.com/starmcp/starmcp/engine"

	"github.com/starmcp/starmcp/engine/sandbox"
)

func TestStraight(t *testing.T) {
	image := load(t, map[string]string{"tool.star": tool("def call(ctx):\n    print(1)\n    return {'a': ctx.now()}\n")})
	w := new(world)
	pool := start(t, image, w, sandbox.Options{})
	t.Logf("%+v", do(t, pool, "tool", "{}"))
	t.Log(w.log())
}

const greet = `"""Greets somebody."""
input_schema = {
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "count": {"type": "integer", "minimum": 1, "maximum": 5, "default": 2},
        "loud": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"type": "string"},
    },
    "required": ["name"],
}

def call(ctx, name, count, loud = False, tags = [], note = None):
    return {"greeting": "hello " + name, "count": count, "loud": loud, "tags": tags, "note": note}
`

const greetArguments = `{"name":"ada","count":3,"loud":true,"tags":["x","y"],"note":"n"}`

// BenchmarkCall compares a call in this process with one in another.
func BenchmarkCall(b *testing.B) {
	files := map[string]string{"greet.star": greet}
	table := engine.Load(mapFS(files), engine.Options{}).Table
	pool := start(b, load(b, files), nil, sandbox.Options{})
	for name, s := range map[string]engine.Service{"table": table, "pool": pool} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if out := do(b, s, "greet", greetArguments); out.Status != engine.OK || out.IsError {
					b.Fatal(out)
				}
			}
		})
	}
}

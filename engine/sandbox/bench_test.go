package sandbox_test

import (
	"fmt"
	"testing"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

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
	for _, s := range []struct {
		name string
		engine.Service
	}{{"table", table}, {"pool", pool}} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if out := do(b, s, "greet", greetArguments); out.Status != engine.OK || out.IsError {
					b.Fatal(out)
				}
			}
		})
		b.Run(s.name+"/parallel", func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					do(b, s, "greet", greetArguments)
				}
			})
		})
	}
}

func thousand() map[string]string {
	files := make(map[string]string)
	for i := range 1000 {
		files[fmt.Sprintf("tool_%03d.star", i)] = greet
	}
	return files
}

// BenchmarkLoad is a cold load of a thousand tools.
func BenchmarkLoad(b *testing.B) {
	fsys := mapFS(thousand())
	for b.Loop() {
		if report, err := sandbox.Load(b.Context(), fsys, sandbox.LoadOptions{}); err != nil || report.Image == nil {
			b.Fatal(report, err)
		}
	}
}

// BenchmarkStart starts a pool of a thousand tools, and calls one of them.
func BenchmarkStart(b *testing.B) {
	image := load(b, thousand())
	for b.Loop() {
		pool, err := sandbox.NewPool(image, sandbox.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if out := do(b, pool, "tool_500", greetArguments); out.Status != engine.OK || out.IsError {
			b.Fatal(out)
		}
		b.StopTimer()
		pool.Close()
		b.StartTimer()
	}
}

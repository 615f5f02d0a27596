package engine

import (
	"encoding/json"
	"fmt"
	"testing"
)

const benchTool = `"""Greets somebody."""
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

// BenchmarkCall is one call from raw arguments to an encoded result.
func BenchmarkCall(b *testing.B) {
	table := mustLoad(b, testPolicy{}, map[string]string{"greet.star": benchTool})
	req := Request{Kind: Call, Tool: "greet", Arguments: json.RawMessage(`{"name":"ada","count":3,"loud":true,"tags":["x","y"],"note":"n"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if out := table.Do(b.Context(), req); out.Status != OK || out.IsError {
			b.Fatal(show(out))
		}
	}
}

// BenchmarkCallParallel is the same from several goroutines at once.
func BenchmarkCallParallel(b *testing.B) {
	table := mustLoad(b, testPolicy{}, map[string]string{"greet.star": benchTool})
	req := Request{Kind: Call, Tool: "greet", Arguments: json.RawMessage(`{"name":"ada"}`)}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			table.Do(b.Context(), req)
		}
	})
}

// BenchmarkLoad is a cold load of a thousand tools.
func BenchmarkLoad(b *testing.B) {
	files := make(map[string]string)
	for i := range 1000 {
		files[fmt.Sprintf("tool_%03d.star", i)] = benchTool
	}
	fsys := mapFS(files)
	for b.Loop() {
		if report := Load(fsys, Options{}); report.Table == nil {
			b.Fatal(report.Problems)
		}
	}
}

// BenchmarkOpen opens the image of a thousand tools, and calls one of them.
func BenchmarkOpen(b *testing.B) {
	files := make(map[string]string)
	for i := range 1000 {
		files[fmt.Sprintf("tool_%03d.star", i)] = benchTool
	}
	image, err := mustLoad(b, testPolicy{}, files).Image()
	if err != nil {
		b.Fatal(err)
	}
	req := Request{Kind: Call, Tool: "tool_500", Arguments: json.RawMessage(`{"name":"ada"}`)}
	for b.Loop() {
		if out := image.Open(Options{Policy: testPolicy{}}).Do(b.Context(), req); out.Status != OK {
			b.Fatal(show(out))
		}
	}
}

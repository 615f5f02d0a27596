package schema_test

import (
	"testing"

	"github.com/starmcp/starmcp/engine/schema"
)

const fiveProperties = `{
	"properties": {
		"path": {"type": "string", "minLength": 1},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
		"follow": {"type": "boolean"},
		"levels": {"type": "array", "items": {"type": "string", "enum": ["warn", "error"]}},
		"since": {"type": "string"}
	},
	"required": ["path"]
}`

func BenchmarkBind(b *testing.B) {
	in := input(b, fiveProperties)
	for _, bc := range []struct{ name, arguments string }{
		{"valid", `{"path":"/var/log/nginx/access.log","limit":20,"follow":false,"levels":["warn","error"],"since":"2026-01-02T03:04:05Z"}`},
		{"default", `{"path":"/var/log/nginx/access.log","follow":false,"levels":["warn","error"],"since":"2026-01-02T03:04:05Z"}`},
		{"coerced", `{"path":"/var/log/nginx/access.log","limit":"20","follow":"false","levels":"[\"warn\"]"}`},
		{"refused", `{"path":"","limit":"many","folow":false}`},
	} {
		b.Run(bc.name, func(b *testing.B) {
			raw := []byte(bc.arguments)
			b.ReportAllocs()
			for b.Loop() {
				in.Bind(b.Context(), raw)
			}
		})
	}
}

func BenchmarkCompileInput(b *testing.B) {
	doc := parse(b, fiveProperties)
	b.ReportAllocs()
	for b.Loop() {
		schema.CompileInput(doc)
	}
}

package builtins_test

import (
	"testing"

	"github.com/starmcp/starmcp/builtins"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TestResults checks the content blocks byte for byte.
// Source: docs/specification/2026-07-28/server/tools.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		code string
		want []string
	}{
		{`result.text("a\n\"b\"")`, []string{`{"type":"text","text":"a\n\"b\""}`}},
		{`result.text("")`, []string{`{"type":"text","text":""}`}},
		{`result.image(b"\x89PNG", "image/png")`, []string{`{"type":"image","data":"iVBORw==","mimeType":"image/png"}`}},
		{`result.audio(b"", mime = "audio/wav")`, []string{`{"type":"audio","data":"","mimeType":"audio/wav"}`}},
		{`result.link("https://example.com/é", "n")`, []string{`{"type":"resource_link","uri":"https://example.com/é","name":"n"}`}},
		{
			`result.link("report://disks", "n", title = "T", description = "D", mime = "text/plain; charset=utf-8", size = 12)`,
			[]string{`{"type":"resource_link","uri":"report://disks","name":"n","title":"T","description":"D","mimeType":"text/plain; charset=utf-8","size":12}`},
		},
		{`result.link("a:b", "n", title = None, mime = None)`, []string{`{"type":"resource_link","uri":"a:b","name":"n"}`}},
		{`result.resource("test://r", "body", "text/plain")`, []string{`{"type":"resource","resource":{"uri":"test://r","mimeType":"text/plain","text":"body"}}`}},
		{`result.resource("test://r", b"\x00")`, []string{`{"type":"resource","resource":{"uri":"test://r","blob":"AA=="}}`}},
		{`result.content(["a", result.content([result.text("b")]), result.image(b"x", "image/png")])`, []string{
			`{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`, `{"type":"image","data":"eA==","mimeType":"image/png"}`,
		}},
		{`result.content([])`, nil},
		{`result.error("no")`, []string{`{"type":"text","text":"no"}`}},
	} {
		r := evalResult(t, c.code)
		if r.Structured != nil || r.Summary != "" || r.IsError != (c.code == `result.error("no")`) || len(r.Blocks) != len(c.want) {
			t.Errorf("%s = %+v", c.code, r)
			continue
		}
		for i, b := range r.Blocks {
			if string(b.JSON) != c.want[i] {
				t.Errorf("%s: block %d is\n%s\nwant\n%s", c.code, i, b.JSON, c.want[i])
			}
		}
	}
	r := evalResult(t, `result.json([1], summary = "one number")`)
	if r.Structured.String() != "[1]" || r.Summary != "one number" || r.Blocks != nil || r.IsError {
		t.Errorf("got %+v", r)
	}
	if r := evalResult(t, `result.json(None)`); r.Structured != starlark.None || r.Summary != "" {
		t.Errorf("got %+v", r)
	}
}

func TestTextBlockIsUTF8(t *testing.T) {
	if got, want := string(builtins.TextBlock("\xff").JSON), "{\"type\":\"text\",\"text\":\"\ufffd\"}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func evalResult(t *testing.T, code string) *builtins.Result {
	t.Helper()
	v, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), "result", code, environment())
	if err != nil {
		t.Fatal(err)
	}
	return v.(*builtins.Result)
}

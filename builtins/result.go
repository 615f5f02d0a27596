package builtins

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"mime"
	"net/url"
	"strings"

	"go.starlark.net/starlark"
)

// A Result is what the functions of module result give: the result of a call
// in MCP's terms. It is opaque to scripts and immutable.
// Source: docs/specification/2026-07-28/server/tools.
type Result struct {
	Structured starlark.Value // the structured content; nil: there is none
	Summary    string         // one line for clients that read Structured; empty: derived from it
	Blocks     []Block        // the content, where Structured is nil
	IsError    bool
}

// A Block is one content block.
type Block struct {
	Type string // "text", "image", "audio", "resource_link", "resource"
	JSON []byte // the whole block as a JSON object
	Text string // of a text block
}

// TextBlock returns a text block. What is not UTF-8 in text becomes U+FFFD.
func TextBlock(text string) Block {
	return Block{Type: "text", JSON: newBlock("text").text("text", text).end(), Text: text}
}

var _ starlark.Value = (*Result)(nil)

// String names the kinds of content: <result text, image>.
func (r *Result) String() string {
	kinds := make([]string, len(r.Blocks))
	for i, b := range r.Blocks {
		kinds[i] = b.Type
	}
	switch {
	case r.Structured != nil:
		kinds = []string{"json"}
	case r.IsError:
		kinds = []string{"error"}
	}
	return "<result " + strings.Join(kinds, ", ") + ">"
}

func (r *Result) Type() string          { return "result" }
func (r *Result) Truth() starlark.Bool  { return starlark.True }
func (r *Result) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: result") }

// Freeze freezes the structured content.
func (r *Result) Freeze() {
	if r.Structured != nil {
		r.Structured.Freeze()
	}
}

// Results is the module result.
var Results = &Module{
	Name: "result",
	Doc: "What a tool can return beside plain values: other kinds of content, a summary of your own, an error. " +
		"A string, dict, list, struct, number, bool or None can be returned as it is.",
	Funcs: []*Func{
		{
			Name: "json",
			Doc:  "A structured value with a summary for those who read text.",
			Params: []Param{
				{Name: "value", Type: Any, Doc: "What JSON can hold: no NaN, no cycles, no functions, keys are strings, nesting up to 100."},
				{Name: "summary", Type: Str, Optional: true, Doc: "One line. Without it there is one such as \"12 disks in structuredContent.\""},
			},
			Returns: "A result.",
			Example: Example{`result.json([1, 2, 3], summary = "three numbers")`, `<result json>`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				return &Result{Structured: args[0], Summary: text(args[1])}, nil
			},
		},
		{
			Name:    "text",
			Doc:     "A text block. What is not UTF-8 in it becomes U+FFFD.",
			Params:  []Param{{Name: "text", Type: Str, Doc: "The text."}},
			Returns: "A result.",
			Example: Example{`result.text("all is well")`, `<result text>`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				return content(TextBlock(text(args[0]))), nil
			},
		},
		media("image", "image/png"),
		media("audio", "audio/wav"),
		{
			Name: "link",
			Doc:  "A link to something that the client may fetch by itself.",
			Params: []Param{
				uriParam,
				{Name: "name", Type: Str, Doc: "A short name for programs and logs."},
				{Name: "title", Type: Str, Optional: true, NameOnly: true, Doc: "A name for people."},
				{Name: "description", Type: Str, Optional: true, NameOnly: true, Doc: "What is to be found there, for the model."},
				{Name: "mime", Type: Str, Optional: true, NameOnly: true, Doc: `Its MIME type, such as "text/html".`},
				{Name: "size", Type: Size, Optional: true, NameOnly: true, Doc: "Its length in bytes."},
			},
			Returns: "A result.",
			Example: Example{`result.link("https://wiki.example.com/disks", "runbook", title = "When a disk is full")`, `<result resource_link>`},
			Call:    link,
		},
		{
			Name: "resource",
			Doc:  "A document that is part of the result. A string in it stays text; bytes are sent in base64.",
			Params: []Param{
				uriParam,
				{Name: "data", Type: Data, Doc: "The document itself."},
				{Name: "mime", Type: Str, Optional: true, Doc: `Its MIME type, such as "text/csv".`},
			},
			Returns: "A result.",
			Example: Example{`result.resource("report://disks", "a,b\n1,2\n", "text/csv")`, `<result resource>`},
			Call:    resource,
		},
		{
			Name:    "content",
			Doc:     "Several blocks in one result, in their order.",
			Params:  []Param{{Name: "blocks", Type: Iterable, Doc: "Strings (text blocks) and what result.text, image, audio, link and resource give."}},
			Returns: "A result.",
			Example: Example{`result.content(["before", result.image(b"\x89PNG", "image/png"), "after"])`, `<result text, image, text>`},
			Call:    contents,
		},
		{
			Name:    "error",
			Doc:     "A failure for the agent to read. Unlike fail, it does not end the function.",
			Params:  []Param{{Name: "message", Type: Str, Doc: "What went wrong, and what to try instead."}},
			Returns: "A result.",
			Example: Example{`result.error("no disk is mounted at /data")`, `<result error>`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				r := content(TextBlock(text(args[0])))
				r.IsError = true
				return r, nil
			},
		},
	},
}

var uriParam = Param{Name: "uri", Type: Str, Doc: `An absolute URI, such as "https://example.com/x" or "report://disks".`}

// media describes result.image and result.audio.
func media(kind, example string) *Func {
	return &Func{
		Name: kind,
		Doc:  "An " + kind + " block.",
		Params: []Param{
			{Name: "data", Type: Bytes, Doc: "The file itself, not encoded: " + `b"...", or from ctx.fs.read(path, binary = True).`},
			{Name: "mime", Type: Str, Doc: "Its MIME type, such as " + example + "."},
		},
		Returns: "A result.",
		Example: Example{`result.` + kind + `(b"\x00\x01", "` + example + `")`, `<result ` + kind + `>`},
		Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
			mimeType := text(args[1])
			if !strings.HasPrefix(mimeType, kind+"/") {
				return nil, fmt.Errorf("for parameter mime: got %s, want an %s type such as %q", quoteShort(mimeType), kind, example)
			}
			if err := checkMIME(mimeType); err != nil {
				return nil, err
			}
			b := newBlock(kind).base64("data", text(args[0])).text("mimeType", mimeType)
			return content(Block{Type: kind, JSON: b.end()}), nil
		},
	}
}

func link(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	if err := cmp.Or(checkURI(text(args[0])), checkMIME(text(args[4]))); err != nil {
		return nil, err
	}
	b := newBlock("resource_link").text("uri", text(args[0])).text("name", text(args[1]))
	for i, name := range []string{2: "title", 3: "description", 4: "mimeType"} {
		if name != "" && args[i] != nil {
			b.text(name, text(args[i]))
		}
	}
	if args[5] != nil {
		b.raw("size", args[5].String())
	}
	return content(Block{Type: "resource_link", JSON: b.end()}), nil
}

func resource(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	if err := cmp.Or(checkURI(text(args[0])), checkMIME(text(args[2]))); err != nil {
		return nil, err
	}
	inner := &block{json: []byte{'{'}}
	inner.text("uri", text(args[0]))
	if args[2] != nil {
		inner.text("mimeType", text(args[2]))
	}
	if _, isText := args[1].(starlark.String); isText {
		inner.text("text", text(args[1]))
	} else {
		inner.base64("blob", text(args[1]))
	}
	b := newBlock("resource").raw("resource", string(inner.end()))
	return content(Block{Type: "resource", JSON: b.end()}), nil
}

func contents(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	all := content()
	i := 0
	for v := range starlark.Elements(args[0].(starlark.Iterable)) {
		switch v := v.(type) {
		case starlark.String:
			all.Blocks = append(all.Blocks, TextBlock(string(v)))
		case *Result:
			if v.Structured != nil || v.IsError {
				return nil, fmt.Errorf("for parameter blocks: element %d is a result of json or error, which stands alone", i)
			}
			all.Blocks = append(all.Blocks, v.Blocks...)
		default:
			return nil, fmt.Errorf("for parameter blocks: element %d: got %s, want a string or a result", i, v.Type())
		}
		i++
	}
	return all, nil
}

func content(blocks ...Block) *Result { return &Result{Blocks: blocks} }

// text returns the bytes of a string or bytes value, "" for one left out.
func text(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case starlark.Bytes:
		return string(v)
	}
	return ""
}

func checkURI(s string) error {
	if u, err := url.Parse(s); err != nil || u.Scheme == "" {
		return fmt.Errorf("for parameter uri: %s is not an absolute URI such as %q", quoteShort(s), "https://example.com/x")
	}
	return nil
}

// checkMIME accepts a MIME type, or none.
func checkMIME(s string) error {
	if s == "" {
		return nil
	}
	if t, _, err := mime.ParseMediaType(s); err != nil || strings.Count(t, "/") != 1 {
		return fmt.Errorf("for parameter mime: %s is not a MIME type such as %q", quoteShort(s), "text/plain")
	}
	return nil
}

// block writes the JSON object of a content block.
type block struct{ json []byte }

func newBlock(kind string) *block {
	return (&block{json: []byte{'{'}}).text("type", kind)
}

func (b *block) name(name string) {
	if len(b.json) > 1 {
		b.json = append(b.json, ',')
	}
	b.json = append(appendQuoted(b.json, name), ':')
}

func (b *block) raw(name, json string) *block {
	b.name(name)
	b.json = append(b.json, json...)
	return b
}

func (b *block) text(name, s string) *block {
	b.name(name)
	b.json = appendQuoted(b.json, s)
	return b
}

func (b *block) base64(name, data string) *block {
	b.name(name)
	b.json = append(b.json, '"')
	b.json = base64.StdEncoding.AppendEncode(b.json, []byte(data))
	b.json = append(b.json, '"')
	return b
}

func (b *block) end() []byte { return append(b.json, '}') }

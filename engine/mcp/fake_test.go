package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// fake is a service with one tool for each thing that an outcome can be.
type fake struct {
	catalogue *engine.Catalogue
	calls     map[string]func(context.Context, engine.Request) engine.Outcome
	ran       atomic.Int64 // calls that came as far as the tool
	last      atomic.Pointer[engine.Request]
}

func (f *fake) Catalogue() *engine.Catalogue { return f.catalogue }

func (f *fake) Do(ctx context.Context, req engine.Request) engine.Outcome {
	f.last.Store(&req)
	if req.Kind == engine.List {
		return engine.Outcome{Catalogue: f.catalogue}
	}
	switch args := strings.TrimSpace(string(req.Arguments)); {
	case f.catalogue.Find(req.Tool) == nil:
		return engine.Outcome{Status: engine.Unknown}
	case req.Refusal != "":
		return engine.Outcome{Status: engine.Refused, Reason: engine.HeadersDiffer, Message: req.Refusal}
	case args != "" && args != "null" && args[0] != '{':
		return engine.Outcome{Status: engine.Refused, Message: "arguments must be an object"}
	}
	f.ran.Add(1)
	return f.calls[req.Tool](ctx, req)
}

func text(s string) []engine.Block {
	return []engine.Block{{Type: "text", JSON: []byte(`{"type":"text","text":` + string(appendText(nil, s)) + `}`)}}
}

func block(kind, rest string) engine.Block {
	return engine.Block{Type: kind, JSON: []byte(`{"type":"` + kind + `",` + rest + `}`)}
}

func arguments[T any](req engine.Request) (args T) {
	if req.Arguments != nil {
		if err := json.Unmarshal(req.Arguments, &args); err != nil {
			panic(err)
		}
	}
	return args
}

func newFake() *fake {
	f := &fake{
		catalogue: &engine.Catalogue{Identity: engine.Identity{Name: "fake", Title: "A fake", Version: "1.2.3", Instructions: "Use with care."}},
		calls:     map[string]func(context.Context, engine.Request) engine.Outcome{},
	}
	always := func(o engine.Outcome) func(context.Context, engine.Request) engine.Outcome {
		return func(context.Context, engine.Request) engine.Outcome { return o }
	}
	audio := block("audio", `"data":"UklGRg==","mimeType":"audio/wav"`)
	link := block("resource_link", `"uri":"test://l","name":"l","description":"A link.","mimeType":"text/plain"`)
	image := block("image", `"data":"iVBORw==","mimeType":"image/png"`)

	f.add(&engine.Descriptor{Name: "audio"}, always(engine.Outcome{Content: []engine.Block{audio}}))
	f.add(&engine.Descriptor{Name: "count", OutputSchema: []byte(`{"type":"integer"}`)}, always(engine.Outcome{Structured: []byte("3"), Summary: "3"}))
	f.add(&engine.Descriptor{
		Name: "dressed", Title: "Dressed up", OutputSchema: []byte(`{"type":"object"}`), ObjectOutput: true,
		Annotations: []byte(`{"readOnlyHint":true}`), Icons: []byte(`[{"src":"data:,"}]`), Meta: []byte(`{"example.com/x":1}`),
	}, always(engine.Outcome{Structured: []byte("{\n\"a\":1}"), Summary: "a in structuredContent.", Notes: []string{"a was clamped"}}))
	f.add(&engine.Descriptor{Name: "echo", InputSchema: []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}, func(_ context.Context, req engine.Request) engine.Outcome {
		return engine.Outcome{Content: text(arguments[struct{ Text string }](req).Text)}
	})
	f.add(&engine.Descriptor{Name: "fails"}, always(engine.Outcome{IsError: true, Content: text("no such host: db7"), Structured: []byte("{}")}))
	f.add(&engine.Descriptor{Name: "fault"}, always(engine.Outcome{Status: engine.Fault, Class: "EvalError", Reference: "0000abcd", Detail: "key secret not in dict\nfault.star:4:12", Log: []slog.Attr{slog.Int("steps", 12)}}))
	f.add(&engine.Descriptor{Name: "items", OutputSchema: []byte(`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer"}}}`)}, always(engine.Outcome{Structured: []byte("[1,2]"), Summary: "2 items in structuredContent."}))
	f.add(&engine.Descriptor{Name: "mixed"}, always(engine.Outcome{Content: []engine.Block{text("a")[0], image, block("resource", `"resource":{"uri":"test://r","text":"body"}`), link}}))
	f.add(&engine.Descriptor{Name: "nothing"}, always(engine.Outcome{}))
	f.add(&engine.Descriptor{Name: "panics"}, func(context.Context, engine.Request) engine.Outcome { panic("secret") })
	f.add(&engine.Descriptor{Name: "region", Headers: []engine.HeaderParam{
		{Header: "Region", Path: []string{"region"}, Type: "string"},
		{Header: "N", Path: []string{"n"}, Type: "integer"},
		{Header: "Flag", Path: []string{"flag"}, Type: "boolean"},
		{Header: "Deep", Path: []string{"a", "b"}, Type: "string"},
	}}, always(engine.Outcome{Content: text("here")}))
	f.add(&engine.Descriptor{Name: "slow"}, func(ctx context.Context, req engine.Request) engine.Outcome {
		ms := arguments[struct{ Ms int }](req).Ms
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
			return engine.Outcome{Content: text(fmt.Sprintf("slept %d ms", ms))}
		case <-ctx.Done():
			return engine.Ended(context.Cause(ctx))
		}
	})
	f.add(&engine.Descriptor{Name: "who"}, func(_ context.Context, req engine.Request) engine.Outcome {
		return engine.Outcome{Content: text(req.Era.String() + " " + req.Client.Name + " " + req.Client.Version)}
	})
	return f
}

// add keeps the tools sorted only if they are added so.
func (f *fake) add(d *engine.Descriptor, call func(context.Context, engine.Request) engine.Outcome) {
	if d.Description == "" {
		d.Description = "The tool " + d.Name + "."
	}
	if d.InputSchema == nil {
		d.InputSchema = []byte(`{"type":"object","properties":{}}`)
	}
	f.catalogue.Tools = append(f.catalogue.Tools, d)
	f.calls[d.Name] = call
}

// crowd is a service with many tools that do nothing.
func crowd(n int) *fake {
	f := &fake{catalogue: &engine.Catalogue{Identity: engine.Identity{Name: "crowd", Version: "1"}}, calls: map[string]func(context.Context, engine.Request) engine.Outcome{}}
	for i := range n {
		f.add(&engine.Descriptor{
			Name:        fmt.Sprintf("tool_%05d", i),
			Description: strings.Repeat("Tells how things are. ", 6),
			InputSchema: []byte(`{"type":"object","properties":{"host":{"type":"string","description":"Which host to ask."},"limit":{"type":"integer","minimum":1,"maximum":100}},"additionalProperties":false}`),
		}, func(context.Context, engine.Request) engine.Outcome { return engine.Outcome{Content: text("fine")} })
	}
	return f
}

func serving(s engine.Service, opts Options) *Server {
	return New(func() engine.Service { return s }, opts)
}

package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// discard is a response that nobody reads.
type discard struct {
	header http.Header
	bytes  int
}

func (d *discard) Header() http.Header { return d.header }
func (d *discard) WriteHeader(int)     {}

func (d *discard) SetReadDeadline(time.Time) error  { return nil }
func (d *discard) SetWriteDeadline(time.Time) error { return nil }

func (d *discard) Write(p []byte) (int, error) {
	d.bytes += len(p)
	return len(p), nil
}

// instant is a service that has its answer ready, so that a benchmark of it
// measures what the protocol costs.
func instant() engine.Service {
	f := newFake()
	answer := engine.Outcome{Structured: []byte(`{"greeting":"hello ada, hello ada","count":2,"loud":false}`), Summary: "greeting, count, loud in structuredContent."}
	f.calls["echo"] = func(context.Context, engine.Request) engine.Outcome { return answer }
	return f
}

const listBody = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`

func benchmarkHandler(b *testing.B, h http.Handler, body string) {
	req := newPost(body)
	w := &discard{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		w.bytes = 0
		req.Body = io.NopCloser(strings.NewReader(body))
		h.ServeHTTP(w, req)
	}
	b.SetBytes(int64(w.bytes))
}

func BenchmarkCall(b *testing.B) {
	benchmarkHandler(b, serving(instant(), Options{Loopback: true}), callBody(1, "echo", `{"text":"hello"}`))
}

func BenchmarkCallLegacy(b *testing.B) {
	benchmarkHandler(b, serving(instant(), Options{Loopback: true}), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`)
}

func BenchmarkList1000(b *testing.B) {
	benchmarkHandler(b, serving(crowd(1000), Options{Loopback: true}), listBody)
}

func BenchmarkDecode(b *testing.B) {
	body := []byte(callBody(1, "echo", `{"text":"hello"}`))
	var d decoder
	var m message
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.decode(body, &m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOverHTTP compares the way of a call through net/http with that of a
// handler which does nothing but read and write JSON.
func BenchmarkOverHTTP(b *testing.B) {
	b.Run("starmcp", func(b *testing.B) { benchmarkClient(b, serving(instant(), Options{Loopback: true})) })
	b.Run("bare", func(b *testing.B) { benchmarkClient(b, http.HandlerFunc(bare)) })
}

func bare(w http.ResponseWriter, r *http.Request) {
	var req struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  struct {
			Name      string         `json:"name"`
			Arguments map[string]any `json:"arguments"`
		} `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"jsonrpc": "2.0",
		"id":      req.ID,
		"result": map[string]any{
			"content":           []any{map[string]any{"type": "text", "text": "greeting, count, loud in structuredContent."}},
			"structuredContent": map[string]any{"greeting": "hello ada, hello ada", "count": 2, "loud": false},
		},
	})
}

func benchmarkClient(b *testing.B, h http.Handler) {
	server := httptest.NewServer(h)
	defer server.Close()
	body := callBody(1, "echo", `{"text":"hello"}`)
	header := (&web{}).usual(body)
	client := server.Client()
	b.ReportAllocs()
	for b.Loop() {
		req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		req.Header = header
		res, err := client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

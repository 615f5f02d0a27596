package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/fstest"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/mcp"
)

// A server is an http.Handler: a program mounts it where it likes, behind
// whatever it has for its other handlers.
func Example() {
	tools := fstest.MapFS{"greet.star": {Data: []byte(`
"""Greets someone."""

input_schema = {"properties": {"who": {"type": "string"}}, "required": ["who"]}

def call(ctx, who):
    return "Hello, %s!" % who
`)}}
	report := engine.Load(tools, engine.Options{})
	if report.Table == nil {
		fmt.Println(report.Problems)
		return
	}
	current := func() engine.Service { return report.Table }

	mux := http.NewServeMux()
	mux.Handle("/tools/mcp", mcp.New(current, mcp.Options{Loopback: true}))
	server := httptest.NewServer(mux)
	defer server.Close()

	res, err := http.Post(server.URL+"/tools/mcp", "application/json", strings.NewReader(
		`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "greet", "arguments": {"who": "world"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	fmt.Println(string(answer), err)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello, world!"}]}} <nil>
}

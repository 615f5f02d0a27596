package main

import (
	"bytes"
	"fmt"
)

const protocolVersion = "2026-07-28"

const requestMeta = `{"io.modelcontextprotocol/protocolVersion":"` + protocolVersion + `",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// A request is one message of revision 2026-07-28 and how to know its answer.
type request struct {
	method string
	name   string // the tool, for tools/call
	body   []byte // the JSON-RPC message, on one line
	want   string // occurs in every good answer
}

var callRequest = request{
	method: "tools/call",
	name:   toolName,
	body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + toolName +
		`","arguments":` + greetArguments + `,"_meta":` + requestMeta + `}}`),
	want: greetAnswer,
}

// listRequest asks for a list whose last tool is the last of the fillers.
func listRequest(tools int) request {
	return request{
		method: "tools/list",
		body:   []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":` + requestMeta + `}}`),
		want:   fmt.Sprintf(`"filler_%04d"`, tools-2),
	}
}

// http returns the request as it goes over a kept-alive connection.
func (r request) http(address string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\n", address)
	b.WriteString("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n")
	fmt.Fprintf(&b, "MCP-Protocol-Version: %s\r\nMcp-Method: %s\r\n", protocolVersion, r.method)
	if r.name != "" {
		fmt.Fprintf(&b, "Mcp-Name: %s\r\n", r.name)
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(r.body), r.body)
	return b.Bytes()
}

// line returns the request as it goes over stdio.
func (r request) line() []byte { return append(bytes.Clone(r.body), '\n') }

// check tells whether reply is a good answer.
func (r request) check(reply []byte) error {
	if !bytes.Contains(reply, []byte(r.want)) || bytes.Contains(reply, []byte(`"isError":true`)) {
		return fmt.Errorf("%s: the answer does not hold %s: %.300s", r.method, r.want, reply)
	}
	return nil
}

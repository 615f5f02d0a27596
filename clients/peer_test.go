package clients

import (
	"context"
	"encoding/json"
	"testing"
)

// Every revision of the protocol that starmcp serves, newest first.
var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// A peer is a connected client, whichever library it is made of. What it says
// has been through that library's own decoding.
type peer interface {
	revision() string
	list(ctx context.Context) ([]tool, error)
	call(ctx context.Context, name string, arguments any) (*answer, error)
}

// A tool is what the tests look at in an entry of tools/list.
type tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	OutputSchema json.RawMessage `json:"outputSchema"`
}

// An answer is the result of tools/call.
type answer struct {
	IsError           bool            `json:"isError"`
	Content           []block         `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
}

// A block is any kind of content block.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     []byte `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Resource struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
	} `json:"resource"`
}

// A library is a client library under one name.
type library struct {
	name string

	// connect connects with the given revision at most; with "" as the library
	// does by default. The peer is closed when the test ends.
	connect func(t *testing.T, where endpoint, revision string) peer

	// dropsUntyped says that the library loses an output schema that has no
	// "type" before these tests see it.
	dropsUntyped bool
}

var libraries = []library{
	{name: "go-sdk", connect: connectGoSDK},
	{name: "mcp-go", connect: connectMCPGo, dropsUntyped: true},
}

// An endpoint is a server of one directory: a URL, or else a process to start.
type endpoint struct {
	url string
	dir string // for stdio
}

// overBoth runs the test over HTTP and over stdio.
func overBoth(t *testing.T, dir string, test func(t *testing.T, where endpoint)) {
	t.Run("http", func(t *testing.T) { test(t, endpoint{url: serveHTTP(t, dir)}) })
	t.Run("stdio", func(t *testing.T) { test(t, endpoint{dir: dir}) })
}

// convert carries a library's value over to a type of these tests, by way of
// the JSON that both describe.
func convert[T any](from any) (T, error) {
	var to T
	data, err := json.Marshal(from)
	if err != nil {
		return to, err
	}
	return to, json.Unmarshal(data, &to)
}

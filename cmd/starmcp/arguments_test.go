package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/mcp"
	"github.com/starmcp/starmcp/engine/schema/argcases"
)

// An answer is what a caller learned, whichever way the call went.
type answer struct {
	value   string   // the structured result, as JSON
	message string   // of a result that is an error
	notes   []string // further text
	refused string   // the message of a protocol error
}

// A way carries calls to the tools of a directory.
type way struct {
	name    string
	carries func(arguments string) bool // what can be sent at all this way
	call    func(t *testing.T, tool, arguments string) answer
}

// TestArgumentsEveryWay puts each case of how arguments are read through every
// entry: they must not differ in what a tool gets and what its caller is told.
func TestArgumentsEveryWay(t *testing.T) {
	groups := argcases.Groups()
	dir := echoTools(t, groups)
	table := engine.Load(os.DirFS(dir), engine.Options{}).Table
	if table == nil {
		t.Fatal("the directory of the cases does not load")
	}
	for _, way := range []way{
		{"http", jsonMessage, overHTTP(t, table)},
		{"stdio", jsonMessage, overStdio(t, table)},
		{"call", func(a string) bool { return json.Valid([]byte(a)) }, byCommand(dir)},
	} {
		t.Run(way.name, func(t *testing.T) {
			for _, g := range groups {
				for _, c := range g.Cases {
					if way.carries(c.Arguments) {
						compare(t, g.Name, c, way.call(t, g.Name, c.Arguments))
					}
				}
			}
		})
	}
}

// jsonMessage tells whether arguments can be part of a JSON-RPC message, or
// would make all of it unreadable.
func jsonMessage(arguments string) bool {
	return arguments == "" || jsontext.Value(arguments).IsValid()
}

func compare(t *testing.T, group string, c argcases.Case, got answer) {
	t.Helper()
	want := answer{value: c.Want, message: c.Error, notes: c.Notes}
	if c.Refused {
		want.message, want.refused = "", c.Error
	}
	at := fmt.Sprintf("arguments.txt:%d: %s %s", c.Line, group, abridged(c.Arguments))
	if !sameJSON(got.value, want.value) {
		t.Errorf("%s: got %s, want %s", at, abridged(got.value), abridged(want.value))
	}
	if got.message != want.message {
		t.Errorf("%s: message %q, want %q", at, got.message, want.message)
	}
	if !slices.Equal(got.notes, want.notes) {
		t.Errorf("%s: notes %q, want %q", at, got.notes, want.notes)
	}
	if (got.refused == "") != (want.refused == "") || !strings.Contains(got.refused, want.refused) {
		t.Errorf("%s: refused with %q, want %q", at, got.refused, want.refused)
	}
}

func abridged(text string) string {
	if len(text) > 200 {
		return text[:200] + "..."
	}
	return text
}

// sameJSON compares token by token, so that the order of members counts.
func sameJSON(a, b string) bool {
	x, y := json.NewDecoder(strings.NewReader(a)), json.NewDecoder(strings.NewReader(b))
	x.UseNumber()
	y.UseNumber()
	for {
		s, errS := x.Token()
		u, errU := y.Token()
		if errS != nil || errU != nil {
			return errS == io.EOF && errU == io.EOF
		}
		m, isNumber := s.(json.Number)
		n, both := u.(json.Number)
		if s != u && !(isNumber && both && sameNumber(m, n)) {
			return false
		}
	}
}

// sameNumber compares what a script has of two numbers: a float's value, or
// each digit of an int, which has no negative zero.
func sameNumber(a, b json.Number) bool {
	if !strings.ContainsAny(a.String()+b.String(), ".eE") {
		return a == b || a+b == "0-0" || a+b == "-00"
	}
	f, errF := a.Float64()
	g, errG := b.Float64()
	return errF == nil && errG == nil && f == g
}

// echoTools writes a tool for each schema that gives back its arguments.
func echoTools(t *testing.T, groups []argcases.Group) string {
	t.Helper()
	dir := t.TempDir()
	for _, g := range groups {
		text := fmt.Sprintf("\"\"\"Gives back its arguments.\"\"\"\ninput_schema = json.decode(%s)\n\ndef call(context__, **kwargs):\n    return kwargs\n",
			strconv.Quote(g.Schema))
		if err := os.WriteFile(filepath.Join(dir, g.Name+".star"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// callRequest makes a request; without arguments it has none.
func callRequest(id int, tool, arguments, meta string) string {
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q%s%s}}`, id, tool, arguments, meta)
}

// overHTTP calls as a client of the time before 2026-07-28 does.
func overHTTP(t *testing.T, table engine.Toolset) func(*testing.T, string, string) answer {
	server := httptest.NewServer(newServer(table, mcp.Options{}))
	t.Cleanup(server.Close)
	return func(t *testing.T, tool, arguments string) answer {
		req, err := http.NewRequest("POST", server.URL+mcpPath, strings.NewReader(callRequest(1, tool, arguments, "")))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("MCP-Protocol-Version", "2025-11-25")
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return readReply(t, body)
	}
}

// overStdio calls as a client of today does.
func overStdio(t *testing.T, table engine.Toolset) func(*testing.T, string, string) answer {
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	requests, in := io.Pipe()
	out, replies := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- newServer(table, mcp.Options{}).ServeStdio(t.Context(), requests, replies) }()
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(out)
	id := 0
	return func(t *testing.T, tool, arguments string) answer {
		id++
		if _, err := io.WriteString(in, callRequest(id, tool, arguments, meta)+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		return readReply(t, line)
	}
}

// byCommand calls as somebody at a shell does.
func byCommand(dir string) func(*testing.T, string, string) answer {
	return func(t *testing.T, tool, arguments string) answer {
		var out, errs bytes.Buffer
		code := run([]string{"starmcp", "call", dir, tool, "--only=" + tool, "--json=-"}, strings.NewReader(arguments), &out, &errs)
		said := strings.TrimSuffix(errs.String(), "\n")
		a := answer{value: out.String()}
		switch code {
		case exitOK:
			for line := range strings.SplitSeq(said, "\n") {
				if !strings.HasPrefix(line, "summary: ") {
					a.notes = append(a.notes, line)
				}
			}
		case exitWrong:
			a.message = said
		case exitCannot:
			a.refused = said
		}
		return a
	}
}

// readReply reads a result, or a protocol error, off the wire.
func readReply(t *testing.T, reply []byte) answer {
	t.Helper()
	var r struct {
		Error *struct {
			Code    int
			Message string
		}
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
	}
	if err := json.Unmarshal(reply, &r); err != nil {
		t.Fatalf("%v: %s", err, reply)
	}
	switch {
	case r.Error != nil && r.Error.Code != -32602:
		return answer{refused: fmt.Sprintf("%d: %s", r.Error.Code, r.Error.Message)}
	case r.Error != nil:
		return answer{refused: r.Error.Message}
	case len(r.Result.Content) == 0:
		t.Fatalf("a result without content: %s", reply)
	case r.Result.IsError:
		return answer{message: r.Result.Content[0].Text}
	}
	a := answer{value: string(r.Result.StructuredContent)}
	for _, block := range r.Result.Content[1:] {
		a.notes = append(a.notes, block.Text)
	}
	return a
}

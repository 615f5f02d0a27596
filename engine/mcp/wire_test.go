package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine"
)

var update = flag.Bool("update", false, "write what was answered into the transcripts")

// TestWire plays the transcripts in testdata/wire. Each is a txtar archive: tools
// in Starlark, if any (else the tools of fake), and then the sections "both",
// "http" and "stdio", which say what carries them. Line by line:
//
//	# text          a comment
//	>> Name: value  a header of the next message; the first of a name replaces
//	                what a client would send, no value takes it away
//	>> VERB         the method of the next message, POST otherwise
//	> text          sends a message; in Go quotes, if it begins with one
//	< STATUS text   the answer; 202 alone: none
//	<< Name: value  a header of that answer
//
// Over HTTP a message gets the headers that clients send: those that repeat a
// modern message, or the revision that an initialize before it agreed on.
// $META stands for the _meta of a modern request, $SERVER for that of a result.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("../../testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { playFile(t, file) })
	}
}

func playFile(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`(?m)^-- (\S+) --\n`).FindAllStringSubmatchIndex(string(data), -1)
	if parts == nil {
		t.Fatal("no sections")
	}
	tools := fstest.MapFS{}
	played := string(data[:parts[0][0]])
	for i, part := range parts {
		end := len(data)
		if i+1 < len(parts) {
			end = parts[i+1][0]
		}
		name, text := string(data[part[2]:part[3]]), string(data[part[1]:end])
		switch name {
		case "both", "http", "stdio":
			text = playSection(t, newService(t, tools), name, text)
		default:
			tools[name] = &fstest.MapFile{Data: []byte(text)}
		}
		played += string(data[part[0]:part[1]]) + text
	}
	if *update {
		if err := os.WriteFile(file, []byte(played), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newService returns what serves the tools, or the fake where there are none.
func newService(t *testing.T, tools fstest.MapFS) engine.Service {
	if len(tools) == 0 {
		return newFake()
	}
	report := engine.Load(tools, engine.Options{})
	if report.Table == nil {
		t.Fatal(report.Problems)
	}
	return report.Table
}

// playSection plays a section over what carries it, and returns it as it was
// answered.
func playSection(t *testing.T, service engine.Service, carrier, section string) string {
	want := section
	check := func(t *testing.T, got string, settles bool) {
		if *update && settles {
			want = got
		} else if got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	if carrier != "stdio" {
		t.Run("http", func(t *testing.T) { check(t, newWeb(t, service).play(t, want), true) })
	}
	if carrier != "http" {
		t.Run("stdio", func(t *testing.T) { check(t, newLine(t, service).play(t, want), carrier == "stdio") })
	}
	return want
}

const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

var (
	serverMeta = regexp.MustCompile(`"_meta":\{"io\.modelcontextprotocol/serverInfo":\{[^}]*\}\}`)
	reference  = regexp.MustCompile(`(reference(?:":"| ))[0-9a-f]{8,16}`)
)

// message returns what a line of a transcript sends.
func sent(line string) string {
	if plain, err := strconv.Unquote(line); err == nil {
		line = plain
	}
	return strings.ReplaceAll(line, "$META", modernMeta)
}

// shown writes an answer as transcripts do.
func shown(answer string) string {
	answer = serverMeta.ReplaceAllString(answer, `"_meta":$$SERVER`)
	answer = reference.ReplaceAllString(strings.TrimSuffix(answer, "\n"), "${1}$$REF")
	return strings.ReplaceAll(answer, "\n", `\n`)
}

// A web plays transcripts over HTTP.
type web struct {
	*httptest.Server
	agreed string
}

func newWeb(t *testing.T, service engine.Service) *web {
	server := httptest.NewServer(serving(service, Options{Loopback: true, AllowedOrigins: []string{"https://console.example.com"}, AllowedHosts: []string{"mcp.example.com"}}))
	t.Cleanup(server.Close)
	return &web{Server: server}
}

func (w *web) play(t *testing.T, section string) string {
	var out strings.Builder
	verb, headers := http.MethodPost, [][2]string{}
	var answer *http.Response
	for line := range strings.Lines(section) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch mark {
		case ">>":
			if name, value, ok := strings.Cut(rest, ":"); ok {
				headers = append(headers, [2]string{name, strings.TrimSpace(value)})
			} else {
				verb = rest
			}
		case ">":
			out.WriteString(line)
			answer = w.post(t, verb, headers, sent(rest))
			body, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			w.learn(body)
			out.WriteString(strings.TrimSpace("< "+strconv.Itoa(answer.StatusCode)+" "+shown(string(body))) + "\n")
			verb, headers = http.MethodPost, nil
			continue
		case "<":
			continue
		case "<<":
			name, _, _ := strings.Cut(rest, ":")
			out.WriteString(strings.TrimSpace("<< "+name+": "+strings.Join(answer.Header.Values(name), ", ")) + "\n")
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}

func (w *web) post(t *testing.T, verb string, headers [][2]string, body string) *http.Response {
	req, err := http.NewRequestWithContext(t.Context(), verb, w.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range w.usual(body) {
		req.Header[name] = values
	}
	given := map[string]bool{}
	for _, h := range headers {
		name := http.CanonicalHeaderKey(h[0])
		if !given[name] {
			req.Header.Del(name)
		}
		given[name] = true
		switch {
		case name == "Host":
			req.Host = h[1]
		case h[1] != "":
			req.Header.Add(name, h[1])
		}
	}
	res, err := w.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// usual returns the headers that a client sends with a message.
func (w *web) usual(body string) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	var m struct {
		Method string `json:"method"`
		Params struct {
			Name string         `json:"name"`
			Meta map[string]any `json:"_meta"`
		} `json:"params"`
	}
	_ = json.Unmarshal([]byte(body), &m)
	if version, ok := m.Params.Meta[metaVersion].(string); ok {
		h[headerVersion], h[headerMethod] = []string{version}, []string{m.Method}
		if m.Method == "tools/call" {
			h[headerName] = []string{m.Params.Name}
		}
	} else if w.agreed != "" {
		h[headerVersion] = []string{w.agreed}
	}
	return h
}

// learn notes the revision that an initialize agreed on.
func (w *web) learn(answer []byte) {
	var m struct {
		Result struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(answer, &m) == nil && m.Result.ProtocolVersion != "" {
		w.agreed = m.Result.ProtocolVersion
	}
}

// A stdioClient plays transcripts over stdio.
type stdioClient struct {
	in      *io.PipeWriter
	answers chan string
	ended   chan error
}

func newLine(t *testing.T, service engine.Service) *stdioClient {
	return startStdio(t, serving(service, Options{}))
}

func startStdio(t *testing.T, server *Server) *stdioClient {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &stdioClient{in: inW, answers: make(chan string, 1000), ended: make(chan error, 1)}
	go func() {
		c.ended <- server.ServeStdio(t.Context(), inR, outW)
		outW.Close()
	}()
	go func() {
		defer close(c.answers)
		for lines := bufio.NewReader(outR); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			c.answers <- line
		}
	}()
	t.Cleanup(func() { inW.Close() })
	return c
}

func (c *stdioClient) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// next returns the next answer. The time is only so long that a test which is
// about to fail does so.
func (c *stdioClient) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-c.answers:
		return line
	case <-time.After(20 * time.Second):
		t.Fatal("no answer")
		return ""
	}
}

// play sends the messages of a section. Statuses are taken from it, since stdio
// has none; 202 is for what gets no answer. At the end nothing may be left over.
func (c *stdioClient) play(t *testing.T, section string) string {
	var out bytes.Buffer
	for line := range strings.Lines(section) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch mark {
		case ">":
			c.send(t, sent(rest))
		case "<":
			if status, _, _ := strings.Cut(rest, " "); status != "202" {
				out.WriteString("< " + status + " " + shown(c.next(t)) + "\n")
				continue
			}
		}
		out.WriteString(line)
	}
	c.in.Close()
	for line := range c.answers {
		out.WriteString("< more " + shown(line) + "\n")
	}
	if err := <-c.ended; err != nil {
		t.Error("ServeStdio:", err)
	}
	return out.String()
}

package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
)

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

// send writes a line. As with next, the time is for a test that fails.
func (c *stdioClient) send(t *testing.T, line string) {
	t.Helper()
	defer time.AfterFunc(20*time.Second, func() { c.in.CloseWithError(errors.New("it is not read")) }).Stop()
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

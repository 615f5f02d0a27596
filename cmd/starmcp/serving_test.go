package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// backgroundKey is where a script keeps its server.
type backgroundKey struct{}

// A background is the server that a script started.
type background struct {
	vars           []string // of the script's environment at its start
	cmd            *exec.Cmd
	url            string
	stdout, stderr watched
	done           chan struct{} // closed at its end
	begun          chan reply    // the answer to what began
	hangUp         func()        // ends the connection that waits for it
}

// A watched buffer collects output and can be waited on.
type watched struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.grown != nil {
		close(w.grown)
		w.grown = nil
	}
	return w.text.Write(p)
}

// state returns the text so far and a channel that is closed when it grows.
func (w *watched) state() (string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.grown == nil {
		w.grown = make(chan struct{})
	}
	return w.text.String(), w.grown
}

// patience bounds every wait for a server. It is long because machines are
// busy; nothing waits for it in full unless the test fails.
const patience = 30 * time.Second

// await returns the first match of re in w.
func (b *background) await(ts *testscript.TestScript, w *watched, re *regexp.Regexp) []string {
	timeout := time.After(patience)
	for {
		text, grown := w.state()
		if m := re.FindStringSubmatch(text); m != nil {
			return m
		}
		select {
		case <-grown:
		case <-b.done:
			if text, _ := w.state(); re.MatchString(text) {
				continue
			}
			ts.Fatalf("the server ended before %q: %s", re, b.output())
		case <-timeout:
			ts.Fatalf("no %q from the server: %s", re, b.output())
		}
	}
}

func (b *background) output() string {
	out, _ := b.stdout.state()
	err, _ := b.stderr.state()
	return out + err
}

var servedAt = regexp.MustCompile(`at (http://\S+/mcp)`)

// serve starts "starmcp serve --listen 127.0.0.1:0 ARG..." and waits until it
// listens at $ADDRESS.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	if neg || b.cmd != nil {
		ts.Fatalf("usage: serve ARG..., once")
	}
	path, err := exec.LookPath("starmcp")
	ts.Check(err)
	b.cmd = exec.Command(path, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	b.cmd.Dir, b.cmd.Env = ts.MkAbs("."), b.vars
	b.cmd.Stdout, b.cmd.Stderr = &b.stdout, &b.stderr
	b.done = make(chan struct{})
	ts.Check(b.cmd.Start())
	go func() {
		b.cmd.Wait()
		close(b.done)
	}()
	ts.Defer(func() {
		b.cmd.Process.Kill()
		<-b.done
	})
	b.url = b.await(ts, &b.stdout, servedAt)[1]
	ts.Setenv("ADDRESS", strings.TrimSuffix(strings.TrimPrefix(b.url, "http://"), mcpPath))
}

// signalServer sends the server SIGTERM or SIGINT.
func signalServer(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	signals := map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}
	if neg || b.cmd == nil || len(args) != 1 || signals[args[0]] == nil {
		ts.Fatalf("usage: signal TERM|INT, after serve")
	}
	ts.Check(b.cmd.Process.Signal(signals[args[0]]))
}

// served waits for the server's end and its exit code (served exit CODE), or
// for a line in its log (served logs REGEXP). What it printed is then there for
// the script's stdout and stderr commands.
func served(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	if neg || b.cmd == nil || len(args) != 2 {
		ts.Fatalf("usage: served exit CODE or served logs REGEXP, after serve")
	}
	switch args[0] {
	case "logs":
		b.await(ts, &b.stderr, regexp.MustCompile("(?m)"+args[1]))
	case "exit":
		select {
		case <-b.done:
		case <-time.After(patience):
			ts.Fatalf("the server did not end: %s", b.output())
		}
		if got := fmt.Sprint(b.cmd.ProcessState.ExitCode()); got != args[1] {
			ts.Fatalf("the server ended with %s, want %s: %s", got, args[1], b.output())
		}
	}
	out, _ := b.stdout.state()
	err, _ := b.stderr.state()
	io.WriteString(ts.Stdout(), out)
	io.WriteString(ts.Stderr(), err)
}

// mcpRequest sends a modern request and prints the status and the answer: mcp
// list, or mcp call TOOL [JSON]. With a status other than 200 it fails.
func mcpRequest(ts *testscript.TestScript, neg bool, args []string) {
	path, header, body := modernRequest(ts, args)
	send(ts, neg, path, header, body)
}

// modernRequest makes the request of an mcp command.
func modernRequest(ts *testscript.TestScript, args []string) (path string, header http.Header, body string) {
	header = http.Header{"Mcp-Protocol-Version": {"2026-07-28"}}
	var method, params string
	switch {
	case len(args) == 1 && args[0] == "list":
		method, params = "tools/list", "{"+modernMeta+"}"
	case len(args) >= 2 && args[0] == "call":
		arguments := "{}"
		if len(args) > 2 {
			arguments = args[2]
		}
		header.Set("Mcp-Name", args[1])
		method, params = "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,%s}`, args[1], arguments, modernMeta)
	default:
		ts.Fatalf("usage: mcp list, or mcp call TOOL [JSON]")
	}
	header.Set("Mcp-Method", method)
	return mcpPath, header, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"script","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// begin sends a modern request, like mcp, and does not wait for the answer.
func begin(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	path, header, body := modernRequest(ts, args)
	ctx, cancel := context.WithCancel(context.Background())
	ts.Defer(cancel)
	b.begun, b.hangUp = make(chan reply, 1), cancel
	go func() { b.begun <- b.post(ctx, path, header, body) }()
}

// hangUp ends the connection of what began, without waiting for the answer.
func hangUp(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	if b.begun == nil {
		ts.Fatalf("nothing began")
	}
	b.hangUp()
	if r := <-b.begun; r.err == nil {
		ts.Fatalf("answered before: %s", r.text)
	}
	b.begun = nil
}

// answered waits for the answer to what began, and prints it. With neg there
// must be none, because the connection ended before.
func answered(ts *testscript.TestScript, neg bool, args []string) {
	b := ts.Value(backgroundKey{}).(*background)
	if b.begun == nil {
		ts.Fatalf("nothing began")
	}
	r := <-b.begun
	if (r.err != nil) != neg {
		ts.Fatalf("answered with %q, %v", r.text, r.err)
	}
	io.WriteString(ts.Stdout(), r.text)
}

// post sends any body to any path, and prints the status and the answer: post
// PATH BODY [NAME:VALUE]... With a status other than 200 it fails.
func post(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: post PATH BODY [NAME:VALUE]...")
	}
	header := make(http.Header)
	for _, h := range args[2:] {
		name, value, _ := strings.Cut(h, ":")
		header.Set(name, strings.TrimSpace(value))
	}
	send(ts, neg, args[0], header, args[1])
}

func send(ts *testscript.TestScript, neg bool, path string, header http.Header, body string) {
	r := ts.Value(backgroundKey{}).(*background).post(context.Background(), path, header, body)
	ts.Check(r.err)
	io.WriteString(ts.Stdout(), r.text)
	if (r.status == http.StatusOK) == neg {
		ts.Fatalf("unexpected status: %s", r.text)
	}
}

// A reply is what came of a request.
type reply struct {
	status int
	text   string // status and body
	err    error
}

// post sends a body to the server.
func (b *background) post(ctx context.Context, path string, header http.Header, body string) reply {
	req, err := http.NewRequestWithContext(ctx, "POST", strings.TrimSuffix(b.url, mcpPath)+path, strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	client := http.Client{Timeout: patience}
	res, err := client.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, fmt.Sprintf("%s\n%s\n", res.Status, answer), err}
}

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
)

func callBody(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`, id, tool, arguments, modernMeta)
}

// newPost returns a request with the headers that clients send.
func newPost(body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(body))
	r.Header = (&web{}).usual(body)
	return r
}

func post(t testing.TB, s *Server, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, newPost(body))
	return w
}

func TestContentLengthIsExact(t *testing.T) {
	server := httptest.NewServer(serving(crowd(200), Options{}))
	defer server.Close()
	w := &web{Server: server}
	for _, body := range []string{
		callBody(1, "tool_00001", "{}"),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`,
		`{`,
	} {
		res := w.post(t, http.MethodPost, nil, body)
		got, err := io.ReadAll(res.Body)
		if err != nil || res.ContentLength != int64(len(got)) || !json.Valid(got) {
			t.Errorf("Content-Length %d for %d bytes, %v", res.ContentLength, len(got), err)
		}
	}
}

func TestBodyLimit(t *testing.T) {
	server := httptest.NewServer(serving(newFake(), Options{}))
	defer server.Close()
	pad := func(size int) string {
		head := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`
		return head + strings.Repeat("x", size-len(head)-3) + `"}}`
	}
	for _, tt := range []struct {
		name    string
		body    io.Reader
		chunked bool
		status  int
	}{
		{"as long as may be", strings.NewReader(pad(1 << 20)), false, 200},
		{"a byte longer", strings.NewReader(pad(1<<20 + 1)), false, 413},
		{"a few chunks", strings.NewReader(pad(1 << 20)), true, 200},
		{"a byte longer in chunks", strings.NewReader(pad(1<<20 + 1)), true, 413},
		{"without end", io.MultiReader(strings.NewReader(`{"a":"`), endless{}), true, 413},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := tt.body
			if tt.chunked {
				body = io.MultiReader(body) // hides the length
			}
			res, err := http.Post(server.URL, "application/json", body)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			answer, _ := io.ReadAll(res.Body)
			if res.StatusCode != tt.status || !json.Valid(answer) {
				t.Errorf("HTTP %d, want %d: %s", res.StatusCode, tt.status, answer)
			}
			if tt.status == 413 && !strings.Contains(string(answer), "1048576 bytes") {
				t.Errorf("the limit is not told: %s", answer)
			}
		})
	}
}

// endless is a body that its client never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestBodyThatDoesNotCome(t *testing.T) {
	s := serving(newFake(), Options{})
	s.bodyTimeout = 20 * time.Millisecond
	server := httptest.NewServer(s)
	defer server.Close()
	for _, tt := range []struct{ headers, want string }{
		{"Content-Length: 100\r\n\r\n{", "408 Request Timeout"},
		{"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", "408 Request Timeout"},
		{"Origin: http://evil.example\r\nContent-Length: 100\r\n\r\n{", "403 Forbidden"},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s", tt.headers)
		answer, _ := io.ReadAll(conn)
		if !strings.Contains(string(answer), tt.want) {
			t.Errorf("%q: %s", tt.headers, answer)
		}
	}
}

// TestAnswerThatIsNotTaken holds that a client which does not read is not waited
// for.
func TestAnswerThatIsNotTaken(t *testing.T) {
	s := serving(crowd(1000), Options{})
	s.writeTimeout = 20 * time.Millisecond
	closed := make(chan struct{}, 1)
	server := httptest.NewUnstartedServer(s)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	conn := must(net.Dial("tcp", server.Listener.Addr().String()))
	defer conn.Close()
	req := must(http.NewRequest(http.MethodPost, server.URL, strings.NewReader(listBody)))
	req.Header = (&web{}).usual(listBody)
	for range 100 { // more than fits between here and there
		req.Body = io.NopCloser(strings.NewReader(listBody))
		if err := req.Write(conn); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, closed, "closed")
}

// blocking is a service whose calls end only when they are cancelled, and that
// tells for which cause.
type blocking struct {
	*fake
	started chan struct{}
	ended   chan error
}

func newBlocking() *blocking {
	return &blocking{newFake(), make(chan struct{}, 1000), make(chan error, 1000)}
}

func (b *blocking) Do(ctx context.Context, req engine.Request) engine.Outcome {
	if req.Tool != "slow" {
		return b.fake.Do(ctx, req)
	}
	b.started <- struct{}{}
	<-ctx.Done()
	b.ended <- context.Cause(ctx)
	return engine.Ended(context.Cause(ctx))
}

// wait returns what comes on c. The time is only so long that a test which is
// about to fail does so.
func wait[T any](t *testing.T, c <-chan T, what string) (got T) {
	t.Helper()
	select {
	case got = <-c:
	case <-time.After(20 * time.Second):
		t.Fatal("never ", what)
	}
	return got
}

func TestClosingTheConnectionCancels(t *testing.T) {
	b := newBlocking()
	server := httptest.NewServer(serving(b, Options{}))
	defer server.Close()
	ctx, hangUp := context.WithCancel(t.Context())
	req := newPost(callBody(1, "slow", "{}")).Clone(ctx)
	req.RequestURI, req.URL = "", must(req.URL.Parse(server.URL))
	failed := make(chan error, 1)
	go func() {
		_, err := server.Client().Do(req)
		failed <- err
	}()
	wait(t, b.started, "started")
	hangUp()
	if cause := wait(t, b.ended, "ended"); !errors.Is(cause, context.Canceled) {
		t.Error("the call ends since", cause)
	}
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestIDsOfOthers holds that requests of the same id on different connections do
// not know of each other, and that nobody can cancel another's call.
func TestIDsOfOthers(t *testing.T) {
	b := newBlocking()
	s := serving(b, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		s.ServeHTTP(httptest.NewRecorder(), newPost(callBody(7, "slow", "{}")).WithContext(ctx))
	}()
	wait(t, b.started, "started")
	if w := post(t, s, callBody(7, "echo", `{"text":"other"}`)); !strings.Contains(w.Body.String(), "other") {
		t.Errorf("answers crossed: %s", w.Body)
	}
	for _, params := range []string{`{"requestId":7}`, `{"requestId":7,"_meta":` + modernMeta + `}`} {
		w := post(t, s, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":`+params+`}`)
		if w.Code != http.StatusAccepted || w.Body.Len() > 0 {
			t.Errorf("HTTP %d %s", w.Code, w.Body)
		}
	}
	select {
	case <-b.ended:
		t.Error("a stranger cancelled the call")
	default:
	}
	cancel()
	if got := <-done; got != http.ErrAbortHandler {
		t.Errorf("the connection is not closed: %v", got)
	}
}

// TestOneSnapshot holds that a request is answered by the service that was there
// when it came, and that each request asks anew.
func TestOneSnapshot(t *testing.T) {
	services := []*fake{newFake(), newFake()}
	services[1].catalogue.Identity.Version = "2"
	asked := 0
	s := New(func() engine.Service { asked++; return services[min(asked, 2)-1] }, Options{})
	for want, body := range []string{callBody(1, "echo", `{"text":"x"}`), callBody(1, "echo", `{"text":"x"}`)} {
		w := post(t, s, body)
		if asked != want+1 {
			t.Errorf("asked %d times for %d requests", asked, want+1)
		}
		if version := []string{`"version":"1.2.3"`, `"version":"2"`}[want]; !strings.Contains(w.Body.String(), version) {
			t.Errorf("want %s in %s", version, w.Body)
		}
	}
}

func TestHeadersDecideBeforeToolsRun(t *testing.T) {
	f := newFake()
	s := serving(f, Options{})
	for _, change := range []func(http.Header){
		func(h http.Header) { h.Del("Mcp-Name") },
		func(h http.Header) { h.Set("Mcp-Name", "other") },
		func(h http.Header) { h.Del("Mcp-Method") },
		func(h http.Header) { h.Set("MCP-Protocol-Version", "2025-11-25") },
		func(h http.Header) { h.Set("Mcp-Param-Region", "us") },
	} {
		r := newPost(callBody(1, "region", `{"region":"eu"}`))
		r.Header.Set("Mcp-Param-Region", "eu")
		change(r.Header)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 400 || !strings.Contains(w.Body.String(), "-32020") {
			t.Errorf("HTTP %d %s", w.Code, w.Body)
		}
	}
	if n := f.ran.Load(); n != 0 {
		t.Errorf("the tool ran %d times", n)
	}
}

func TestWhatTheServiceIsTold(t *testing.T) {
	f := newFake()
	s := serving(f, Options{})
	r := newPost(callBody(1, "echo", ` { "text" : "x" } `))
	r.Header.Set("Authorization", "Bearer t")
	r.RemoteAddr = "192.0.2.1:5"
	s.ServeHTTP(httptest.NewRecorder(), r)
	req := f.last.Load()
	if req.Kind != engine.Call || req.Tool != "echo" || string(req.Arguments) != `{ "text" : "x" }` || string(req.Meta) != modernMeta ||
		req.Era != engine.Modern || req.Client != (engine.Client{Name: "test", Version: "1"}) || req.Remote != "192.0.2.1:5" ||
		req.Header["Authorization"][0] != "Bearer t" {
		t.Errorf("%+v", req)
	}
	post(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing","_meta":{"progressToken":1}}}`)
	if req := f.last.Load(); req.Arguments != nil || req.Meta != nil || req.Era != engine.Legacy {
		t.Errorf("%+v", req)
	}
}

package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
)

func TestServeStops(t *testing.T) {
	for _, tt := range []struct {
		name  string
		grace time.Duration
	}{
		{"calls that end in time", 20 * time.Second},
		{"calls that do not", time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlocking()
			release := make(chan struct{})
			b.calls["echo"] = func(context.Context, engine.Request) engine.Outcome {
				b.started <- struct{}{}
				<-release
				return engine.Outcome{Content: text("done")}
			}
			l := must(net.Listen("tcp", "127.0.0.1:0"))
			ctx, stop := context.WithCancel(t.Context())
			stopped := make(chan error, 1)
			go func() { stopped <- serve(ctx, l, NewHTTPServer(serving(b, Options{}), nil), tt.grace) }()

			tool := "echo"
			if tt.grace < time.Second {
				tool = "slow"
			}
			answer := make(chan string, 1)
			req := newPost(callBody(1, tool, `{"text":"x"}`))
			req.RequestURI, req.URL = "", must(req.URL.Parse("http://"+l.Addr().String()))
			go func() {
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					answer <- err.Error()
					return
				}
				defer res.Body.Close()
				body, _ := io.ReadAll(res.Body)
				answer <- string(body)
			}()
			wait(t, b.started, "started")
			stop()
			close(release)
			if err := <-stopped; err != nil {
				t.Error(err)
			}
			want := map[string]string{"echo": "done", "slow": "the server is stopping"}[tool]
			if got := <-answer; !strings.Contains(got, want) {
				t.Errorf("want %q in %s", want, got)
			}
			if tool == "slow" {
				if cause := wait(t, b.ended, "ended"); !errors.Is(cause, engine.ErrStopping) {
					t.Error("the call ends since", cause)
				}
			}
			if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
				t.Error("it still listens")
			}
		})
	}
}

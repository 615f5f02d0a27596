package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"
)

// An endable is a running call that can be ended from both of its ends.
type endable struct {
	leave  func()        // the client gives up
	stop   func()        // the server is told to stop
	answer func() string // all that came back; the server has ended by then
}

// TestEndings ends a running call from either side, over whatever carries it.
// The log tells which it was, and only a client that waits is answered.
func TestEndings(t *testing.T) {
	for carrier, begin := range map[string]func(*testing.T, *Server) endable{"http": endableHTTP, "stdio": endableStdio} {
		for _, tt := range []struct {
			name   string
			end    func(endable)
			class  string
			answer string // part of it; empty: there is none at all
		}{
			{"by the client", func(e endable) { e.leave() }, "class=Cancelled", ""},
			{"by the server", func(e endable) { e.stop() }, "class=Stopped", "the server is stopping"},
		} {
			t.Run(carrier+" "+tt.name, func(t *testing.T) {
				var log bytes.Buffer
				b := newBlocking()
				s := serving(b, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
				s.stopGrace = time.Millisecond
				e := begin(t, s)
				wait(t, b.started, "started")
				tt.end(e)
				wait(t, b.ended, "ended")
				got := e.answer()
				if !strings.Contains(got, tt.answer) || (got == "") != (tt.answer == "") {
					t.Errorf("answered %q", got)
				}
				if line := log.String(); !strings.Contains(line, tt.class) || strings.Count(line, "\n") != 1 || strings.Contains(line, " bytes=0 ") != (got == "") {
					t.Errorf("logged %s", line)
				}
			})
		}
	}
}

// endableHTTP calls on a connection of which the client closes just its own
// half, so that it would see whatever came after.
func endableHTTP(t *testing.T, s *Server) endable {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- serve(ctx, l, NewHTTPServer(s, nil), s.stopGrace) }()
	conn := must(net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)))
	t.Cleanup(func() { conn.Close() })
	if err := newPost(callBody(1, "slow", "{}")).Write(conn); err != nil {
		t.Fatal(err)
	}
	return endable{
		leave: func() { conn.CloseWrite() },
		stop:  stop,
		answer: func() string {
			got, err := io.ReadAll(conn)
			stop()
			if err := <-stopped; err != nil {
				t.Error(err)
			}
			if err != nil {
				t.Error(err)
			}
			return string(got)
		},
	}
}

func endableStdio(t *testing.T, s *Server) endable {
	in, inW := io.Pipe()
	t.Cleanup(func() { inW.Close() })
	ctx, stop := context.WithCancel(t.Context())
	var out bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- s.ServeStdio(ctx, in, &out) }()
	fmt.Fprintln(inW, callBody(1, "slow", "{}"))
	return endable{
		leave: func() {
			fmt.Fprintln(inW, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			inW.Close()
		},
		stop: stop,
		answer: func() string {
			if err := <-ended; err != nil {
				t.Error(err)
			}
			stop()
			return out.String()
		},
	}
}

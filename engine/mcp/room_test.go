package mcp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/starmcp/starmcp/engine"
)

const tooBusy = "the server is too busy: it runs 2 calls at once; try again in a moment"

func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(2)
		r.door = 2
		entered := func(ctx context.Context) <-chan *engine.Outcome {
			result := make(chan *engine.Outcome, 1)
			go func() { result <- r.enter(ctx) }()
			synctest.Wait()
			return result
		}
		want := func(what string, result <-chan *engine.Outcome, class, text string) {
			t.Helper()
			synctest.Wait()
			select {
			case got := <-result:
				switch {
				case class == "" && got == nil:
				case class == "" || got == nil || !got.IsError || got.Class != class || !strings.Contains(string(got.Content[0].JSON), text):
					t.Errorf("%s: %+v", what, got)
				}
			default:
				t.Errorf("%s: still waits", what)
			}
		}
		for range 2 {
			want("there is room", entered(t.Context()), "", "")
		}
		began := time.Now()
		ctx, cancel := context.WithCancelCause(t.Context())
		first, second := entered(t.Context()), entered(ctx)
		want("the door is full", entered(t.Context()), engine.ClassBusy, tooBusy)
		cancel(nil)
		want("its client has left", second, engine.ClassCancelled, "cancelled")
		ctx, cancel = context.WithCancelCause(t.Context())
		second = entered(ctx)
		cancel(engine.ErrStopping)
		want("the server stops", second, engine.ClassStopped, "the server is stopping")

		second = entered(t.Context())
		r.leave()
		want("the first has its turn", first, "", "")
		if !time.Now().Equal(began) {
			t.Error("that took time")
		}
		time.Sleep(r.most)
		want("no turn in time", second, engine.ClassBusy, tooBusy)
		if took := time.Since(began); took != time.Second {
			t.Error("it waited", took)
		}
		r.leave()
		want("there is room again", entered(t.Context()), "", "")
	})
}

// TestOnlyCallsWait fills a server with calls that do not end, and holds that
// others are refused at once, and that nothing else waits for them.
func TestOnlyCallsWait(t *testing.T) {
	b := newBlocking()
	s := serving(b, Options{MaxCalls: 2})
	s.room.most = time.Hour
	c := startStdio(t, s)
	slow := func(id int) string { return callBody(id, "slow", "{}") }
	for id := range s.room.capacity() {
		c.send(t, slow(id))
	}
	for range 2 {
		wait(t, b.started, "started")
	}
	const more = 2 * maxUnsent
	for id := range more {
		c.send(t, slow(1000+id))
	}
	for range more {
		if got := c.next(t); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, tooBusy) {
			t.Fatalf("got %s", got)
		}
	}
	for _, tt := range []struct{ send, want string }{
		{`{"jsonrpc":"2.0","id":"p","method":"ping"}`, `{"jsonrpc":"2.0","id":"p","result":{}}`},
		{`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`, `{"jsonrpc":"2.0","id":"l","result":{"tools":[`},
		{`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":` + modernMeta + `}}`, `{"jsonrpc":"2.0","id":"d","result":{`},
		{callBody(5000, "nope", "{}"), `"id":5000,"error":{"code":-32602,"message":"Unknown tool`},
		{`{`, `"code":-32700`},
	} {
		c.send(t, tt.send)
		if got := c.next(t); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.send, got)
		}
	}
	select {
	case <-b.started:
		t.Error("one more than may be at once")
	default:
	}
	for id := range 1000 + more {
		c.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
	}
	for range 2 {
		wait(t, b.ended, "ended")
	}
	c.in.Close()
	for got := range c.answers {
		t.Errorf("answered what nobody wants: %s", got)
	}
}

// TestRoomIsTheServers holds that what runs for one client counts for all of
// them, and what a refused one is told in either transport.
func TestRoomIsTheServers(t *testing.T) {
	b := newBlocking()
	var log bytes.Buffer
	s := serving(b, Options{MaxCalls: 2, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.room.door = 0
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan any, 1)
	go func() {
		defer func() { left <- recover() }()
		s.ServeHTTP(httptest.NewRecorder(), newPost(callBody(1, "slow", "{}")).WithContext(ctx))
	}()
	wait(t, b.started, "started")
	c := startStdio(t, s)
	c.send(t, callBody(1, "slow", "{}"))
	wait(t, b.started, "started")

	echo := callBody(2, "echo", `{"text":"x"}`)
	want := `"result":{"resultType":"complete","content":[{"type":"text","text":"` + tooBusy + `"}],"isError":true`
	c.send(t, echo)
	if got := c.next(t); !strings.Contains(got, want) {
		t.Errorf("over stdio: %s", got)
	}
	if w := post(t, s, echo); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
		t.Errorf("over HTTP: %d %s", w.Code, w.Body)
	}
	if got := log.String(); strings.Count(got, "class=Busy") != 2 {
		t.Errorf("logged %s", got)
	}
	if w := post(t, s, listBody); !strings.Contains(w.Body.String(), `"tools":[`) {
		t.Errorf("a list waits: %d %s", w.Code, w.Body)
	}
	leave()
	<-left
	if w := post(t, s, echo); !strings.Contains(w.Body.String(), `"text":"x"`) {
		t.Errorf("its place is not free again: %s", w.Body)
	}
}

// TestBurst holds that as many quick calls as wait at the door are all answered.
func TestBurst(t *testing.T) {
	s := serving(newFake(), Options{})
	s.room.most = time.Hour
	c := startStdio(t, s)
	go func() {
		for id := range s.room.capacity() {
			io.WriteString(c.in, echoLine(id, 1)+"\n")
		}
		c.in.Close()
	}()
	answered := 0
	for got := range c.answers {
		if !strings.Contains(got, `"text":"x"`) {
			t.Fatalf("got %s", got)
		}
		answered++
	}
	if answered != s.room.capacity() {
		t.Errorf("%d of %d answered", answered, s.room.capacity())
	}
}

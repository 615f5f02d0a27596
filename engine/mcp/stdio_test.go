package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/starmcp/starmcp/engine"
)

func echoLine(id int, size int) string {
	return callBody(id, "echo", `{"text":"`+strings.Repeat("x", size)+`"}`)
}

func TestLongLines(t *testing.T) {
	c := newLine(t, newFake())
	for _, size := range []int{65_537, 1 << 20, 4<<20 - 1000} {
		c.send(t, echoLine(0, size))
		if got := c.next(t); len(got) < size || !json.Valid([]byte(got)) {
			t.Errorf("%d bytes for %d", len(got), size)
		}
	}
	for _, size := range []int{4 << 20, 9 << 20} {
		c.send(t, echoLine(0, size))
		if got, want := c.next(t), `"message":"Too large: a message may have 4194304 bytes"`; !strings.Contains(got, want) || strings.Contains(got, `"id"`) {
			t.Errorf("%d: %.200s", size, got)
		}
	}
	c.send(t, echoLine(0, 1))
	if got := c.next(t); !strings.Contains(got, `"text":"x"`) {
		t.Errorf("out of step: %.200s", got)
	}
}

func TestCancelled(t *testing.T) {
	b := newBlocking()
	c := newLine(t, b)
	call := func(id string) string { return strings.Replace(callBody(7, "slow", "{}"), `"id":7`, `"id":`+id, 1) }
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"enough"}}`
	}
	c.send(t, call(`7`))
	wait(t, b.started, "started")
	c.send(t, call(`"é"`))
	wait(t, b.started, "started")

	c.send(t, cancel(`"7"`)) // another id
	c.send(t, cancel(`8`))
	c.send(t, cancel(`7`))
	if cause := wait(t, b.ended, "ended"); !errors.Is(cause, context.Canceled) {
		t.Error("the call ends since", cause)
	}
	c.send(t, cancel(`7`)) // over already
	c.send(t, echoLine(0, 1))
	if got := c.next(t); !strings.Contains(got, `"text":"x"`) {
		t.Errorf("answered what nobody wants: %s", got)
	}
	select {
	case <-b.ended:
		t.Error("the other call was cancelled too")
	default:
	}

	c.send(t, call(`7`)) // the id is free again
	wait(t, b.started, "started")
	c.send(t, cancel(`7`))
	wait(t, b.ended, "ended")
	c.send(t, cancel(`"\u00e9"`)) // the same id, written otherwise
	wait(t, b.ended, "ended")
	c.in.Close()
	for got := range c.answers {
		t.Errorf("answered what nobody wants: %s", got)
	}
}

func TestSameIDTwice(t *testing.T) {
	b := newBlocking()
	c := newLine(t, b)
	c.send(t, callBody(7, "slow", "{}"))
	wait(t, b.started, "started")
	c.send(t, callBody(7, "echo", `{"text":"x"}`))
	if got := c.next(t); !strings.Contains(got, "-32600") || !strings.Contains(got, `"id":7`) {
		t.Errorf("got %s", got)
	}
	c.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	wait(t, b.ended, "ended")
	c.send(t, callBody(7, "echo", `{"text":"x"}`))
	if got := c.next(t); !strings.Contains(got, `"text":"x"`) {
		t.Errorf("got %s", got)
	}
}

// TestEnd holds that what was read before the end of input is answered, what
// runs on then is cancelled, and the end is no error.
func TestEnd(t *testing.T) {
	t.Run("nothing", func(t *testing.T) {
		if err := serving(newFake(), Options{}).ServeStdio(t.Context(), strings.NewReader(""), io.Discard); err != nil {
			t.Error(err)
		}
	})
	t.Run("requests", func(t *testing.T) {
		var in, out bytes.Buffer
		for id := range 500 {
			fmt.Fprintln(&in, callBody(id, "echo", `{"text":"x"}`))
		}
		in.WriteString(callBody(500, "echo", `{"text":"no line end"}`))
		if err := serving(newFake(), Options{}).ServeStdio(t.Context(), &in, &out); err != nil {
			t.Error(err)
		}
		seen := map[int]bool{}
		for line := range strings.Lines(out.String()) {
			var m struct{ ID int }
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			seen[m.ID] = true
		}
		if len(seen) != 501 {
			t.Errorf("%d of 501 answered", len(seen))
		}
	})
	for _, tt := range []struct {
		name string
		stop func(c *stdioClient, cancel func())
	}{
		{"input", func(c *stdioClient, _ func()) { c.in.Close() }},
		{"signal", func(_ *stdioClient, cancel func()) { cancel() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBlocking()
			server := serving(b, Options{})
			server.eofGrace, server.stopGrace = time.Millisecond, time.Millisecond
			inR, inW := io.Pipe()
			defer inW.Close()
			var out bytes.Buffer
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- server.ServeStdio(ctx, inR, &out) }()
			c := &stdioClient{in: inW}
			c.send(t, callBody(1, "slow", "{}"))
			wait(t, b.started, "started")
			tt.stop(c, cancel)
			if cause := wait(t, b.ended, "ended"); !errors.Is(cause, engine.ErrStopping) {
				t.Error("the call ends since", cause)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if !strings.Contains(out.String(), "the server is stopping") {
				t.Errorf("wrote %q", out.String())
			}
		})
	}
}

// TestStubbornCall holds that a call which does not end, although it should,
// does not keep the server.
func TestStubbornCall(t *testing.T) {
	f := newFake()
	never, started := make(chan struct{}), make(chan struct{}, 1)
	defer close(never)
	f.calls["echo"] = func(context.Context, engine.Request) engine.Outcome {
		started <- struct{}{}
		<-never
		return engine.Outcome{}
	}
	server := serving(f, Options{})
	server.eofGrace, server.cancelGrace = time.Millisecond, time.Millisecond
	c := startStdio(t, server)
	c.send(t, echoLine(0, 1))
	wait(t, started, "started")
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

func TestOutputGone(t *testing.T) {
	broken := errors.New("broken pipe")
	inR, inW := io.Pipe()
	defer inW.Close()
	go io.WriteString(inW, echoLine(0, 1)+"\n")
	err := serving(newFake(), Options{}).ServeStdio(t.Context(), inR, writerFunc(func([]byte) (int, error) { return 0, broken }))
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestOneLineAWrite holds that each answer is one line and is written at once,
// whatever is in it, so that answers cannot get mixed up.
func TestOneLineAWrite(t *testing.T) {
	f := newFake()
	f.calls["echo"] = func(context.Context, engine.Request) engine.Outcome {
		return engine.Outcome{Structured: []byte("{\n  \"a\": \"b\\nc\"\r\n}"), Summary: "x\ny", Content: []engine.Block{{Type: "text", JSON: []byte("{\"type\":\"text\",\n\"text\":\"t\"}")}}}
	}
	var in bytes.Buffer
	for id := range 100 {
		fmt.Fprintln(&in, callBody(id, []string{"echo", "dressed", "mixed"}[id%3], `{}`))
		fmt.Fprintln(&in, `{"jsonrpc":"2.0","id":"l`+strconv.Itoa(id)+`","method":"tools/list"}`)
	}
	writes := 0
	out := writerFunc(func(p []byte) (int, error) {
		writes++
		if body, ok := bytes.CutSuffix(p, []byte("\n")); !ok || bytes.ContainsAny(body, "\r\n") || !json.Valid(body) {
			t.Errorf("wrote %q", p)
		}
		return len(p), nil
	})
	if err := serving(f, Options{}).ServeStdio(t.Context(), &in, out); err != nil || writes != 200 {
		t.Errorf("%d writes, %v", writes, err)
	}
}

func TestPieces(t *testing.T) {
	var want bytes.Buffer
	for id := range 40 {
		fmt.Fprintf(&want, `{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":"é世界😀"}}`, id)
		want.WriteString([]string{"\n", "\r\n", "\n\n", "\r\n \r\n\ufeff\r\n", "\n\ufeff"}[id%5])
	}
	play := func(in io.Reader) string {
		var out bytes.Buffer
		if err := serving(newFake(), Options{}).ServeStdio(t.Context(), in, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	whole := play(bytes.NewReader(want.Bytes()))
	if n := strings.Count(whole, `"protocolVersion":"2025-11-25"`); n != 40 {
		t.Fatalf("%d of 40 answered", n)
	}
	if got := play(iotest.OneByteReader(bytes.NewReader(want.Bytes()))); got != whole {
		t.Error("byte by byte it is not the same")
	}
	if got := play(&piecemeal{data: want.Bytes(), rand: rand.New(rand.NewPCG(1, 2))}); got != whole {
		t.Error("piece by piece it is not the same")
	}
}

// TestManyPieces has many calls of all sizes come and go at once, both ways in
// pieces that end anywhere. Each is answered once, with its own text.
func TestManyPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	texts := make([]string, 200)
	var sent bytes.Buffer
	for id := range texts {
		texts[id] = strings.Repeat([]string{"x", "é", "世界", "😀\ufeff"}[id%4], random.IntN(1<<random.IntN(15)))
		fmt.Fprintf(&sent, "%s%s%s", []string{"", "\ufeff"}[id/4%2], callBody(id, "echo", `{"text":"`+texts[id]+`"}`), []string{"\n", "\r\n", "\n\r\n\n"}[id%3])
	}
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- serving(newFake(), Options{}).ServeStdio(t.Context(), &piecemeal{data: sent.Bytes(), rand: random}, outW)
		outW.Close()
	}()
	answered := map[int]bool{}
	for lines := bufio.NewReaderSize(outR, 16); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var m struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || answered[m.ID] || len(m.Result.Content) != 1 || m.Result.Content[0].Text != texts[m.ID] {
			t.Fatalf("%.200s: %v", line, err)
		}
		answered[m.ID] = true
	}
	if err := <-ended; err != nil || len(answered) != len(texts) {
		t.Errorf("%d of %d answered, %v", len(answered), len(texts), err)
	}
}

// piecemeal reads in pieces of any size.
type piecemeal struct {
	data []byte
	rand *rand.Rand
}

func (r *piecemeal) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data[:min(len(r.data), r.rand.IntN(100))])
	r.data = r.data[n:]
	return n, nil
}

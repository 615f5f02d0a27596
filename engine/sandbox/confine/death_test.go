package confine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

func init() {
	parts["die"] = func(_ confine.Worker, args []string) string {
		ends[args[0]].run()
		return "it lives"
	}
	parts["hold"] = func(w confine.Worker, _ []string) string {
		sink = bytes.Repeat([]byte("x"), 32<<20)
		fmt.Fprintln(w.Out, "holding")
		io.Copy(io.Discard, w.In)
		return ""
	}
}

// An end is a way for a worker to die, and what its parent is to see.
type end struct {
	run   func()
	cause confine.Cause
	note  string // within what it wrote
}

var ends = map[string]end{
	"one allocation": {
		run:   func() { sink = make([]byte, 16<<30) },
		cause: confine.OutOfMemory, note: "out of memory",
	},
	"many allocations": {
		run: func() {
			var all [][]byte
			for {
				b := make([]byte, 1<<20)
				for i := range b {
					b[i] = 1
				}
				all = append(all, b)
				sink = all
			}
		},
		cause: confine.OutOfMemory, note: "out of memory",
	},
	"doubling": {
		run: func() {
			for s := "x"; ; s += s {
				sink = s
			}
		},
		cause: confine.OutOfMemory, note: "out of memory",
	},
	"recursion": {
		run: func() {
			var deep func(n int) int
			deep = func(n int) int { return deep(n+1) + 1 }
			deep(0)
		},
		cause: confine.StackOverflow, note: "stack overflow",
	},
	"panic": {
		run:   func() { panic("for a test") },
		cause: confine.Crashed, note: "panic: for a test",
	},
	"fault": {
		run: func() {
			debug.SetPanicOnFault(false)
			var p *int
			*p = 1
		},
		cause: confine.Crashed, note: "nil pointer dereference",
	},
	"deadlock of maps": {
		run: func() {
			m := map[int]int{}
			go func() {
				for {
					m[1]++
				}
			}()
			for {
				m[1]++
			}
		},
		cause: confine.Crashed, note: "concurrent map writes",
	},
	"exit":         {run: func() { os.Exit(0) }, cause: confine.Ended},
	"exit, not 0":  {run: func() { os.Exit(4) }, cause: confine.Ended},
	"endless loop": {run: func() { spin() }, cause: confine.KilledByOther},
}

func spin() {
	for n := 0; ; n++ {
		sink = n
	}
}

func TestDeaths(t *testing.T) {
	for name, want := range ends {
		t.Run(name, func(t *testing.T) {
			bounds := small
			bounds.CPU = 10 * time.Second
			if want.cause == confine.KilledByOther {
				bounds.CPU = time.Second
			}
			skipUnbounded(t, name)
			p := launch(t, encode(bounds), "die", name)
			d := p.Wait()
			if d.Cause != want.cause || !strings.Contains(d.Note, want.note) {
				t.Errorf("got %v, want %v with %q\n%s", d, want.cause, want.note, d.Note)
			}
			if len(d.Note) > 16<<10 {
				t.Errorf("%d bytes of last words", len(d.Note))
			}
			if want.cause == confine.KilledByOther && d.CPU < time.Second/2 {
				t.Errorf("killed after %v of processor time, want %v", d.CPU, bounds.CPU)
			}
		})
	}
}

func TestKill(t *testing.T) {
	p := launch(t, encode(small), "echo")
	p.To.WriteString("x\n")
	if got := answer(p); got != "x" {
		t.Fatal(got)
	}
	if usage, err := p.Usage(); err == nil && (usage.Resident < 1<<20 || usage.Resident > 1<<30) {
		t.Errorf("usage is %+v", usage)
	}
	for range 2 {
		p.Kill()
		if d := p.Wait(); d.Cause != confine.Killed {
			t.Errorf("got %v, want %v", d, confine.Killed)
		}
	}
	if usage, err := p.Usage(); err == nil {
		t.Errorf("a dead worker uses %+v", usage)
	}
	if _, err := p.To.WriteString("x"); err == nil {
		t.Error("a dead worker's pipe is open")
	}
}

// TestKillWhileWaiting kills many workers just when they end by themselves.
func TestKillWhileWaiting(t *testing.T) {
	for range 20 {
		p := launch(t, encode(small), "echo")
		p.To.Close()
		go p.Kill()
		if d := p.Wait(); d.Cause != confine.Killed && d.Cause != confine.Ended {
			t.Errorf("got %v", d)
		}
	}
}

// TestUsage has a worker take memory, and looks at it from outside.
func TestUsage(t *testing.T) {
	p := launch(t, encode(small), "hold")
	if got := answer(p); got != "holding" {
		t.Fatal(got)
	}
	usage, err := p.Usage()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || usage.Resident < 32<<20 {
		t.Errorf("usage is %+v, %v, want 32 MiB or more", usage, err)
	}
}

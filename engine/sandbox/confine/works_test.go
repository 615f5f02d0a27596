package confine_test

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

func init() {
	parts["echo"] = func(w confine.Worker, _ []string) string {
		lines := bufio.NewScanner(w.In)
		for lines.Scan() {
			fmt.Fprintln(w.Out, lines.Text())
		}
		return "end"
	}
	parts["work"] = func(_ confine.Worker, args []string) (answer string) {
		defer func() {
			if r := recover(); r != nil {
				answer = fmt.Sprint("panic: ", r)
			}
		}()
		return workloads[args[0]]()
	}
	parts["lacking"] = func(w confine.Worker, _ []string) string { return w.Lacking.String() }
}

var sink any

// workloads are what an interpreter and Go's runtime must still be able to do.
// Each returns "done".
var workloads = map[string]func() string{
	"garbage": func() string {
		debug.SetMemoryLimit(96 << 20)
		live := make([][]byte, 48)
		for i := range 2000 {
			live[i%len(live)] = make([]byte, 1<<20)
		}
		runtime.KeepAlive(live)
		return "done"
	},
	"small objects": func() string {
		m := map[int]*[4]int{}
		for i := range 1_000_000 {
			m[i%10_000] = &[4]int{i}
		}
		sink = m
		return "done"
	},
	"goroutines": func() string {
		var wg sync.WaitGroup
		gate := make(chan struct{})
		for range 5000 {
			wg.Go(func() { <-gate })
		}
		close(gate)
		wg.Wait()
		return "done"
	},
	"threads": func() string {
		var wg sync.WaitGroup
		gate := make(chan struct{})
		for range 8 {
			wg.Go(func() {
				runtime.LockOSThread() // so that it ends with the goroutine
				<-gate
			})
		}
		close(gate)
		wg.Wait()
		return "done"
	},
	"timers": func() string {
		timeout := time.After(5 * time.Millisecond)
		ticks := time.NewTicker(time.Millisecond)
		defer ticks.Stop()
		<-ticks.C
		<-timeout
		time.Sleep(time.Millisecond)
		return "done"
	},
	"preemption": func() string {
		// A loop without a call is stopped by a signal.
		stop := make(chan struct{})
		go func() {
			n := 0
			for {
				n++
			}
		}()
		time.AfterFunc(time.Millisecond, func() { close(stop) })
		<-stop
		runtime.GC()
		return "done"
	},
	"panics": func() string {
		for range 100 {
			func() {
				defer func() { recover() }()
				var p *int
				*p = 1
			}()
		}
		return "done"
	},
	"stack": func() string {
		var deep func(n int) int
		deep = func(n int) int {
			if n == 0 {
				return 0
			}
			return deep(n-1) + 1
		}
		if got := deep(200_000); got != 200_000 {
			return fmt.Sprint("got ", got)
		}
		return "done"
	},
	"metrics": func() string {
		samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/cpu/classes/total:cpu-seconds"}}
		metrics.Read(samples)
		if samples[0].Value.Uint64() == 0 {
			return "no objects in the heap"
		}
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return "done"
	},
	"free memory": func() string {
		sink = make([]byte, 32<<20)
		sink = nil
		debug.FreeOSMemory()
		debug.SetGCPercent(20)
		return "done"
	},
	"randomness": func() string {
		if len(rand.Text()) == 0 {
			return "nothing"
		}
		return "done"
	},
	"clock": func() string {
		if time.Since(time.Unix(0, 0)) < time.Hour || time.Now().Location().String() == "" {
			return "no time"
		}
		return "done"
	},
	"stray print": func() string {
		fmt.Println("this is not the answer")
		return "done"
	},
	"environment": func() string {
		if env := os.Environ(); len(env) > 0 {
			return fmt.Sprint(env)
		}
		return "done"
	},
}

func TestWorks(t *testing.T) {
	t.Setenv("SECRET", "of the parent")
	for name := range workloads {
		t.Run(name, func(t *testing.T) {
			p := launch(t, encode(small), "work", name)
			if got := answer(p); got != "done" {
				t.Error(got)
			}
			if d := p.Wait(); d.Cause != confine.Ended || d.State != "exit status 0" {
				t.Errorf("it died: %v", d)
			}
		})
	}
}

func TestPipes(t *testing.T) {
	p := launch(t, encode(small), "echo")
	lines := bufio.NewReader(p.From)
	for _, line := range []string{"hello\n", strings.Repeat("x", 60_000) + "\n"} {
		p.To.WriteString(line)
		if got, err := lines.ReadString('\n'); err != nil || got != line {
			t.Fatalf("got %.20q, %v; want %.20q", got, err, line)
		}
	}
	p.To.Close()
	if got, _ := lines.ReadString('\n'); got != "end\n" {
		t.Errorf("after the end of its input the worker says %q", got)
	}
}

func TestBoundsAreWanted(t *testing.T) {
	for _, b := range []confine.Bounds{{}, {Memory: 1}, {Stack: 1}, {Memory: 1, Stack: 1, CPU: -1}} {
		p := launch(t, encode(b), "echo")
		if d := p.Wait(); d.State != "exit status 3" || !strings.HasPrefix(d.Note, "confine: the ") {
			t.Errorf("%+v: %v", b, d)
		}
	}
}

func TestLackingString(t *testing.T) {
	for l, want := range map[confine.Lacking]string{
		0:                   "nothing",
		confine.LacksMemory: "memory",
		confine.LacksPrograms | confine.LacksCalls: "programs, system calls",
		confine.LacksFiles | confine.LacksCPU:      "processor time, files",
		confine.LacksParent | confine.LacksMemory:  "memory, death with the parent",
	} {
		if got := l.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

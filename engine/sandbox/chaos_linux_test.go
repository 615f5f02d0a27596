package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

// workers are the processes that this one started.
func workers(t testing.TB) (pids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // it is gone
		}
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if parent, _ := strconv.Atoi(string(fields[1])); parent == os.Getpid() {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
			pids = append(pids, pid)
		}
	}
	return pids
}

func descriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// eventually waits for what goes on in the background.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 500 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error(what)
}

// Whichever workers die, only their own calls are lost, and nothing is left.
func TestChaos(t *testing.T) {
	const callers, each = 6, 500
	image := load(t, map[string]string{
		"reads.star": tool("needs = {\"read\": [\"/a\"]}\ninput_schema = {\"properties\": {\"n\": {\"type\": \"integer\"}}, \"required\": [\"n\"]}\ndef call(ctx, n):\n    return ctx.fs.read(\"/%d\" % n) + \"!\"\n"),
	})
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	pool, err := sandbox.NewPool(image, sandbox.Options{Policy: new(world)})
	if err != nil {
		t.Fatal(err)
	}
	var lost, kills atomic.Int32
	stop := make(chan struct{})
	var killer, calls sync.WaitGroup
	killer.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond): // a worker has to start before it can serve
			}
			if pids := workers(t); len(pids) > 0 {
				syscall.Kill(pids[rand.IntN(len(pids))], syscall.SIGKILL)
				kills.Add(1)
			}
		}
	})
	for c := range callers {
		calls.Go(func() {
			for i := range each {
				n := c*each + i
				out := do(t, pool, "reads", fmt.Sprintf(`{"n":%d}`, n))
				switch {
				case out.Class == engine.ClassLost && out.IsError:
					lost.Add(1)
				case len(out.Content) != 1 || string(out.Content[0].JSON) != fmt.Sprintf(`{"type":"text","text":"/%d!"}`, n):
					t.Errorf("call %d: %+v", n, plainOutcome(out))
				}
			}
		})
	}
	calls.Wait()
	close(stop)
	killer.Wait()
	t.Logf("%d calls, %d kills, %d lost", callers*each, kills.Load(), lost.Load())
	if lost.Load() > kills.Load() {
		t.Errorf("%d calls were lost with %d workers", lost.Load(), kills.Load())
	}
	if out := do(t, pool, "reads", `{"n":1}`); out.IsError && out.Class != engine.ClassLost {
		t.Errorf("afterwards: %+v", plainOutcome(out))
	}
	pool.Close()
	left(t, goroutines, files)
}

// left checks that a closed pool has left nothing behind.
func left(t *testing.T, goroutines, files int) {
	t.Helper()
	if pids := workers(t); len(pids) > 0 {
		t.Errorf("the processes %v are left", pids)
	}
	eventually(t, "descriptors are left", func() bool { return descriptors(t) <= files })
	eventually(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// Close ends calls that run, and answers those that come too late.
func TestClose(t *testing.T) {
	image := load(t, map[string]string{"sleeps.star": tool("def call(ctx):\n    ctx.log(\"ready\")\n    ctx.sleep(\"1h\")\n"), "calm.star": tool("def call(ctx):\n    return 1\n")})
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	w := new(world)
	pool, err := sandbox.NewPool(image, sandbox.Options{Policy: w})
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	w.onLog(func() { close(ready) })
	answer := make(chan engine.Outcome, 1)
	go func() { answer <- do(t, pool, "sleeps", "") }()
	<-ready
	go pool.Close()
	pool.Close()
	select {
	case out := <-answer:
		if !out.IsError {
			t.Errorf("%+v", plainOutcome(out))
		}
	case <-time.After(5 * time.Second):
		t.Error("the call goes on")
	}
	if out := do(t, pool, "calm", ""); out.Class != engine.ClassBusy || !out.IsError {
		t.Errorf("%+v", plainOutcome(out))
	}
	left(t, goroutines, files)
}

// A pool that retires answers calls, and keeps no worker beyond them.
func TestRetire(t *testing.T) {
	w := new(world)
	pool := start(t, load(t, map[string]string{
		"sleeps.star": tool("def call(ctx):\n    ctx.log(\"ready\")\n    ctx.sleep(\"100ms\")\n    return 1\n"),
		"calm.star":   tool("def call(ctx):\n    return 1\n"),
	}), w, sandbox.Options{})
	var calls sync.WaitGroup
	ready := make(chan struct{})
	w.onLog(func() { close(ready) })
	calls.Go(func() {
		if out := do(t, pool, "sleeps", ""); out.IsError {
			t.Errorf("%+v", plainOutcome(out))
		}
	})
	<-ready
	pool.Retire()
	if out := do(t, pool, "calm", ""); out.IsError || out.Status != engine.OK {
		t.Errorf("%+v", plainOutcome(out))
	}
	calls.Wait()
	eventually(t, "workers are left", func() bool { return len(workers(t)) == 0 })
	if out := do(t, pool, "calm", ""); out.IsError || out.Status != engine.OK {
		t.Errorf("afterwards: %+v", plainOutcome(out))
	}
	eventually(t, "workers are left", func() bool { return len(workers(t)) == 0 })
}

// A call does not wait for a worker that another call holds: others are started,
// and end when they are not needed any more.
func TestGrowsAndShrinks(t *testing.T) {
	const many = 10
	w := new(world)
	pool := start(t, load(t, map[string]string{
		"waits.star": tool("def call(ctx):\n    ctx.log(\"ready\")\n    ctx.sleep(\"1h\")\n"),
		"calm.star":  tool("def call(ctx):\n    return 1\n"),
	}), w, sandbox.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ready := make(chan struct{}, many)
	w.onLog(func() { ready <- struct{}{} })
	var calls sync.WaitGroup
	for range many {
		calls.Go(func() { pool.Do(ctx, engine.Request{Kind: engine.Call, Tool: "waits"}) })
	}
	for range many {
		<-ready
	}
	if out := do(t, pool, "calm", ""); out.IsError || out.Status != engine.OK {
		t.Errorf("one more: %+v", plainOutcome(out))
	}
	cancel()
	calls.Wait()
	eventually(t, "workers are not given back", func() bool { pool.Review(); return len(workers(t)) == 3 })

	for _, pid := range workers(t) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	eventually(t, "dead workers are not replaced", func() bool { return pool.Review() == 3 })
	for _, pid := range workers(t) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	eventually(t, "they do not die", func() bool { return len(living(t)) == 0 })
	if out := do(t, pool, "calm", ""); out.IsError || out.Status != engine.OK {
		t.Errorf("with dead workers: %+v", plainOutcome(out))
	}
}

// living are the workers that are more than a number.
func living(t testing.TB) (pids []int) {
	for _, pid := range workers(t) {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if i := bytes.LastIndexByte(stat, ')'); i >= 0 && stat[i+2] != 'Z' {
			pids = append(pids, pid)
		}
	}
	return pids
}

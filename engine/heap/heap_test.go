package heap

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

const mib = 1 << 20

// fill returns n MiB, which nothing else holds.
func fill(n int) [][]byte {
	held := make([][]byte, n)
	for i := range held {
		held[i] = make([]byte, mib)
	}
	return held
}

// sink keeps garbage from being optimised away.
var sink []byte

func TestGarbagePasses(t *testing.T) {
	var over atomic.Bool
	w := Start(Live(), 64*mib, func() { over.Store(true) })
	defer w.Stop()
	held := fill(48)
	for range 512 {
		sink = make([]byte, mib)
		w.Check()
	}
	runtime.KeepAlive(held)
	if over.Load() {
		t.Error("48 MiB live and 512 MiB of garbage are over a limit of 64 MiB")
	}
}

// TestOverOnce holds that what is over the limit is told once, and at the
// first check that looks.
func TestOverOnce(t *testing.T) {
	var over atomic.Int32
	w := Start(Live(), 64*mib, func() { over.Add(1) })
	defer w.Stop()
	held := fill(80)
	for start := time.Now(); over.Load() == 0; {
		w.Check()
		if time.Since(start) > 10*time.Second {
			t.Fatal("80 MiB are not over a limit of 64 MiB")
		}
	}
	held = append(held, fill(20)...)
	w.look()
	runtime.KeepAlive(held)
	if n := over.Load(); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// TestNobodyChecks holds that the watch looks by itself during a long step.
func TestNobodyChecks(t *testing.T) {
	over := make(chan struct{})
	w := Start(Live(), 64*mib, func() { close(over) })
	defer w.Stop()
	held := fill(80)
	select {
	case <-over:
	case <-time.After(10 * time.Second):
		t.Error("80 MiB are not over a limit of 64 MiB")
	}
	runtime.KeepAlive(held)
}

func TestNothingAfterStop(t *testing.T) {
	w := Start(Live(), mib, func() { t.Error("told after the end") })
	w.Stop()
	held := fill(8)
	w.look()
	w.poll()
	if w.timer.Stop() {
		t.Error("the timer runs on")
	}
	w.Stop()
	runtime.KeepAlive(held)
}

func BenchmarkUsed(b *testing.B) {
	for b.Loop() {
		used()
	}
}

func BenchmarkStartStop(b *testing.B) {
	for b.Loop() {
		Start(0, 1<<40, func() {}).Stop()
	}
}

func BenchmarkCheck(b *testing.B) {
	w := Start(0, 1<<40, func() {})
	defer w.Stop()
	for b.Loop() {
		w.Check()
	}
}

// BenchmarkLive collects with 48 MiB of pointers in use.
func BenchmarkLive(b *testing.B) {
	held := make([][]*int, 48)
	for i := range held {
		held[i] = make([]*int, mib/8)
	}
	for b.Loop() {
		Live()
	}
	runtime.KeepAlive(held)
}

// Package heap watches how much memory the calls of this process hold.
//
// It cannot tell whose memory it sees, so that it says something about a call
// only in a process that runs one at a time. What counts is live memory: a
// script may leave any amount of garbage behind.
package heap

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// lookEvery is how often [Watch.Check] looks at the heap. To look takes half
	// a microsecond.
	lookEvery = 100 * time.Microsecond
	// pollEvery is how often the heap is looked at where nobody checks.
	pollEvery = 5 * time.Millisecond
	// patience is how long a step of the script may take before it counts as one
	// in which nobody checks.
	patience = 20 * time.Millisecond
)

// Live collects the garbage, and returns how many bytes the rest takes. That
// costs milliseconds, and more the more there is.
func Live() int64 {
	runtime.GC()
	return size("/gc/heap/live:bytes")
}

// used returns how many bytes the heap takes, with garbage that has not been
// swept.
func used() int64 { return size("/memory/classes/heap/objects:bytes") }

func size(metric string) int64 {
	sample := [1]metrics.Sample{{Name: metric}}
	metrics.Read(sample[:])
	return int64(sample[0].Value.Uint64())
}

// A Watch compares the heap with a limit until it is stopped. Its methods can
// be called by any goroutine.
type Watch struct {
	limit int64 // of the heap, with what there was before the call
	slack int64 // how much the heap must grow after a collection to be worth another
	over  func()
	timer *time.Timer

	looked atomic.Int64 // when Check looked at the heap last
	mu     sync.Mutex   // held for looks
	worth  int64        // what the heap must take to be worth a collection
	ended  bool         // stopped, or over the limit
}

// Start watches the heap from now on. When live memory is more than limit bytes
// above base, which is what [Live] returned before the call, over is called:
// once, by the goroutine that calls [Watch.Check], or by one of the watch's own.
func Start(base, limit int64, over func()) *Watch {
	w := &Watch{limit: base + limit, slack: limit / 8, over: over, worth: base + limit}
	w.looked.Store(now())
	w.mu.Lock() // the timer may fire before it is known
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(pollEvery, w.poll)
	return w
}

// Check looks at the heap if the last look is a while ago. The goroutine that
// allocates should call it often. It then waits while its garbage is collected,
// so that none can be mistaken for live memory.
func (w *Watch) Check() {
	if t := now(); t-w.looked.Load() >= int64(lookEvery) {
		w.looked.Store(t)
		w.look()
	}
}

// Stop ends the watch. It returns when over is not running and never will be.
// It must not be called by over.
func (w *Watch) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.timer.Stop()
}

// poll looks at the heap while the script is in a long step, and cannot check.
// What it allocates during the collection counts as live, so that this is second
// best: a step that makes garbage very fast can be taken for one that keeps it.
func (w *Watch) poll() {
	if now()-w.looked.Load() >= int64(patience) {
		w.look()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.timer.Reset(pollEvery)
	}
}

func (w *Watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || used() <= w.worth {
		return
	}
	live := Live()
	if live <= w.limit {
		w.worth = max(w.limit, live+w.slack)
		return
	}
	w.ended = true
	w.over()
}

// now counts nanoseconds, from whenever.
func now() int64 { return int64(time.Since(epoch)) }

var epoch = time.Now()

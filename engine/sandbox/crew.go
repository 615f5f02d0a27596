package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

const (
	minWorkers = 2                // workers that there always are, beside the spare
	spare      = 1                // workers that are ready before a call needs them
	mostCalls  = 10_000           // of one worker, before a fresh one takes its place
	reviewTime = 10 * time.Second // how long a worker that nobody needs is kept, about
)

// Between attempts to start a worker, where that fails.
const (
	shortPause = 20 * time.Millisecond
	longPause  = 2 * time.Second
)

// A crew is the workers of a pool. There are always more than calls, up to the
// concurrency, so that a call takes one that is ready; others are started
// meanwhile.
type crew struct {
	opts   Options
	frames []byte // the image
	bounds confine.Bounds
	all    sync.WaitGroup // everything that has to end before close returns

	mu       sync.Mutex
	idle     []*process // the one used last is at the end
	busy     map[*process]bool
	starting int
	failed   error // why the latest worker could not be started
	retry    *time.Timer
	pause    time.Duration   // before the next retry
	queue    []chan *process // of calls that wait, in order
	fewest   int             // idle workers since the last review
	review   *time.Timer
	lacking  confine.Lacking
	retiring bool
	closed   bool
}

func newCrew(opts Options, frames []byte, bounds confine.Bounds) *crew {
	if opts.Concurrency <= 0 {
		opts.Concurrency = defaultConcurrency
	}
	if opts.Queue <= 0 {
		opts.Queue = defaultQueue
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &crew{opts: opts, frames: frames, bounds: bounds, busy: make(map[*process]bool)}
}

// start starts the first workers and waits for one of them.
func (c *crew) start() error {
	first, err := c.launch()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lacking = first.lacking
	c.offer(first)
	c.grow()
	c.review = time.AfterFunc(reviewTime, c.look)
	return nil
}

func (c *crew) lacks() confine.Lacking {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lacking
}

// launch starts a worker and opens the image in it.
func (c *crew) launch() (*process, error) {
	c.all.Add(1)
	p, err := startProcess(c.bounds, c.died)
	if err != nil {
		c.all.Done()
		return nil, fmt.Errorf("cannot start a worker: %w", err)
	}
	if err := p.open(c.frames); err != nil {
		return nil, err
	}
	return p, nil
}

// take returns a worker for one call, or the outcome of a call that gets none.
func (c *crew) take(ctx context.Context) (*process, *engine.Outcome) {
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return nil, refuse("the server is about to end")
	case len(c.idle) > 0 && len(c.busy) < c.opts.Concurrency:
		p := c.pop()
		c.grow()
		c.mu.Unlock()
		return p, nil
	case len(c.queue) >= c.opts.Concurrency:
		c.mu.Unlock()
		return nil, refuse(c.full())
	}
	turn := make(chan *process, 1)
	c.queue = append(c.queue, turn)
	c.grow()
	c.mu.Unlock()
	return c.wait(ctx, turn)
}

func refuse(why string) *engine.Outcome {
	out := engine.Busy(why)
	return &out
}

func (c *crew) full() string {
	return fmt.Sprintf("the server is too busy: it runs %d calls at once; try again in a moment", c.opts.Concurrency)
}

// wait waits for a worker.
func (c *crew) wait(ctx context.Context, turn chan *process) (*process, *engine.Outcome) {
	timer := time.NewTimer(c.opts.Queue)
	defer timer.Stop()
	var refused *engine.Outcome
	select {
	case p := <-turn:
		if p == nil {
			return nil, refuse("the server is about to end")
		}
		return p, nil
	case <-ctx.Done():
		out := engine.Ended(context.Cause(ctx))
		refused = &out
	case <-timer.C:
		refused = refuse(c.full())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.queue, turn); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
		if c.failed != nil && len(c.busy) == 0 {
			refused = refuse("no process for the call could be started: " + c.failed.Error())
		}
		return nil, refused
	}
	if p := <-turn; p != nil { // it came just now
		return p, nil
	}
	return nil, refused
}

// pop takes the worker that was used last: its memory is warm.
func (c *crew) pop() *process {
	last := len(c.idle) - 1
	p := c.idle[last]
	c.idle[last] = nil
	c.idle = c.idle[:last]
	c.fewest = min(c.fewest, last)
	c.busy[p] = true
	return p
}

// offer takes in a worker that is ready for a call.
func (c *crew) offer(p *process) {
	c.idle = append(c.idle, p)
	c.serve()
}

// serve gives workers to the calls that have waited longest.
func (c *crew) serve() {
	for len(c.queue) > 0 && len(c.idle) > 0 && len(c.busy) < c.opts.Concurrency {
		c.queue[0] <- c.pop()
		c.queue = slices.Delete(c.queue, 0, 1)
	}
}

// give returns a worker after a call. One that cannot be used again, or has
// done enough, is replaced.
func (c *crew) give(p *process, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.busy[p] {
		return // it died meanwhile, and is counted out
	}
	delete(c.busy, p)
	if !ok || p.calls >= mostCalls || c.closed || c.retiring && len(c.queue) == 0 {
		p.abandon()
		c.serve()
	} else {
		c.offer(p)
	}
	c.grow()
}

// died counts a worker out.
func (c *crew) died(p *process) {
	defer c.all.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, p)
	if i := slices.Index(c.idle, p); i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
	}
	c.serve()
	if !p.ended.Load() {
		c.opts.Log.Warn("a worker ended", "how", p.Wait().String(), "calls", p.calls)
	}
	c.grow()
}

// grow starts as many workers as are missing.
func (c *crew) grow() {
	if c.closed || c.retry != nil {
		return
	}
	want := max(minWorkers, len(c.busy)+len(c.queue)) + spare
	if c.retiring {
		want = len(c.busy) + len(c.queue)
	}
	for len(c.idle)+len(c.busy)+c.starting < min(want, c.opts.Concurrency+spare) {
		c.starting++
		c.all.Go(c.enlist)
	}
}

// enlist starts one worker and takes it into the crew.
func (c *crew) enlist() {
	p, err := c.launch()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.starting--
	switch {
	case err != nil && !c.closed:
		c.postpone(err)
	case err != nil:
	case c.closed || c.retiring && len(c.queue) == 0:
		p.abandon()
	default:
		c.failed = nil
		c.offer(p)
	}
}

// postpone tries again a little later to start what could not be started, and
// later each time.
func (c *crew) postpone(err error) {
	if c.failed == nil {
		c.pause = shortPause
		c.opts.Log.Error("cannot start a worker; trying again", "err", err)
	}
	c.failed = err
	if c.retry != nil {
		return
	}
	c.retry = time.AfterFunc(c.pause, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.retry = nil
		c.grow()
	})
	c.pause = min(2*c.pause, longPause)
}

// look is a review of the idle workers: those that were not needed since the
// last one are ended, and those that died are replaced.
func (c *crew) look() {
	c.mu.Lock()
	if c.closed || c.retiring {
		c.mu.Unlock()
		return
	}
	c.all.Add(1)
	defer c.all.Done()
	needless := min(c.fewest-spare, len(c.idle)+len(c.busy)-minWorkers-spare)
	for range max(needless, 0) {
		c.drop(c.idle[0])
	}
	idle := slices.Clone(c.idle)
	c.mu.Unlock()
	for _, p := range idle {
		c.check(p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fewest = len(c.idle)
	c.review.Reset(reviewTime)
}

// drop ends an idle worker.
func (c *crew) drop(p *process) {
	c.idle = slices.DeleteFunc(c.idle, func(q *process) bool { return p == q })
	p.abandon()
}

// check looks after one worker, if it is still idle.
func (c *crew) check(p *process) {
	c.mu.Lock()
	i := slices.Index(c.idle, p)
	if i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
		c.busy[p] = true
	}
	c.mu.Unlock()
	if i >= 0 {
		c.give(p, p.alive())
	}
}

// retire ends the idle workers now, and the others after their calls.
func (c *crew) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retiring = true
	c.dismiss()
}

// dismiss ends the idle workers.
func (c *crew) dismiss() {
	if c.review != nil {
		c.review.Stop()
	}
	for _, p := range c.idle {
		p.abandon()
	}
	c.idle = nil
}

func (c *crew) close() {
	c.mu.Lock()
	c.closed = true
	c.dismiss()
	for p := range c.busy {
		p.abandon()
	}
	for _, turn := range c.queue {
		turn <- nil
	}
	c.queue = nil
	if c.retry != nil && c.retry.Stop() {
		c.retry = nil
	}
	c.mu.Unlock()
	c.all.Wait()
}

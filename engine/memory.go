package engine

import (
	"context"
	"errors"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine/heap"
)

// ErrMemory is the cause of a call's context when the call holds more memory
// than it may.
var ErrMemory = errors.New("the call's memory is used up")

// checkEvery is how many steps of the interpreter there are between two checks
// of the heap. Each can allocate, so that they are few.
const checkEvery = 16

// A scale knows what the heap takes without a call, so that the rest is the
// call's. The nil scale watches nothing.
type scale struct {
	base atomic.Int64
}

func newScale(opts Options) *scale {
	if !opts.WatchMemory {
		return nil
	}
	return new(scale)
}

// settle takes what the heap holds now as what it holds without a call.
func (s *scale) settle() {
	if s != nil {
		s.base.Store(heap.Live())
	}
}

// limitMemory bounds what the call may allocate on its thread: in one step, and,
// where there is a scale, altogether.
func (c *call) limitMemory(thread *starlark.Thread) (stop func()) {
	limits := c.tool.Limits
	builtins.LimitMemory(thread, limits.Memory)
	if c.tool.scale == nil {
		return func() {}
	}
	var cancel context.CancelCauseFunc
	c.ctx, cancel = context.WithCancelCause(c.ctx) // ends with the context around it, at the latest
	c.heap = heap.Start(c.tool.scale.base.Load(), limits.Memory, func() {
		cancel(ErrMemory)
		thread.Cancel(ErrMemory.Error())
	})
	return c.heap.Stop
}

// limitSteps ends the call when its steps are used up. On the way there, the
// heap is checked.
func (c *call) limitSteps(thread *starlark.Thread) {
	limit := c.tool.Limits.Steps
	next := limit
	if c.heap != nil {
		next = min(checkEvery, limit)
	}
	thread.SetMaxExecutionSteps(next)
	thread.OnMaxSteps = func(thread *starlark.Thread) {
		if thread.Steps < limit {
			c.heap.Check()
			thread.SetMaxExecutionSteps(min(thread.Steps+checkEvery, limit))
			return
		}
		c.spent = true
		thread.Cancel("too many steps")
	}
}

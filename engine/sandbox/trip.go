package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

const (
	// graceTime is how long after its limit a call is killed that has not ended
	// by itself, which would tell more.
	graceTime = 500 * time.Millisecond
	// cancelTime is how long a cancelled call may take to end by itself.
	cancelTime = 250 * time.Millisecond
	// pollTime is how often a worker's memory is asked for, where nothing else
	// bounds it.
	pollTime = 50 * time.Millisecond
)

// A trip is one call on its way to a worker and back.
type trip struct {
	*process
	tool   *engine.Tool
	host   engine.Host
	kinds  map[string]bool // the effects that there are
	memory int64           // what the worker may hold
	ctx    context.Context // of the call and its effects: ends at its time limit
	logged int             // bytes
}

// run sends a call, serves its effects, and returns what came of it. ok tells
// whether the worker can be used again.
func (t *trip) run(m callMessage) (done *doneMessage, out engine.Outcome, ok bool) {
	t.busy.Store(true)
	defer t.busy.Store(false)
	t.calls++
	t.number++
	m.Number = t.number
	limit := t.tool.Limits.Timeout + graceTime
	t.To.SetWriteDeadline(time.Now().Add(limit))
	if err := t.out.send(kindCall, m); err != nil {
		return nil, t.lost(err), false
	}
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	poll := t.poll()
	ended := t.ctx.Done()
	for {
		select {
		case message := <-t.messages:
			done, err := t.hear(message)
			if err != nil {
				return nil, t.lost(err), false
			}
			if done != nil {
				return done, engine.Outcome{}, true
			}
		case <-t.gone:
			return nil, t.lost(nil), false
		case <-ended:
			ended = nil
			if context.Cause(t.ctx) != engine.ErrTimeout { // of which the worker knows by itself
				t.out.send(kindCancel, cancelMessage{t.number})
				deadline.Reset(cancelTime)
			}
		case <-deadline.C:
			t.abandon()
			return nil, t.overdue(), false
		case <-poll:
			if use, err := t.Usage(); err == nil && use.Resident > t.memory {
				t.abandon()
				return nil, t.tool.Limits.OutOfMemory(fmt.Sprintf("the worker holds %d bytes", use.Resident)), false
			}
		}
	}
}

// poll ticks where the worker's memory has to be watched from here.
func (t *trip) poll() <-chan time.Time {
	if t.lacking&confine.LacksMemory == 0 {
		return nil
	}
	return time.Tick(pollTime)
}

// hear deals with what the worker says. The end of the call is returned.
func (t *trip) hear(message any) (*doneMessage, error) {
	switch m := message.(type) {
	case *effectMessage:
		return nil, t.serve(m)
	case *doneMessage:
		return m, m.check()
	}
	return nil, fmt.Errorf("it says %T during a call", message)
}

// overdue is the outcome of a call that was killed since it did not end.
func (t *trip) overdue() engine.Outcome {
	if cause := context.Cause(t.ctx); cause != nil && cause != engine.ErrTimeout {
		return engine.Cancelled()
	}
	return t.tool.Limits.TimedOut("the call did not end by itself, and its process was killed")
}

// lost is the outcome of a call whose worker is dead, or has to die since it
// broke the rules.
func (t *trip) lost(err error) engine.Outcome {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.abandon()
		return t.overdue()
	}
	if err != nil && !isBroken(err) {
		t.abandon()
	}
	<-t.gone
	detail := "the worker " + t.death.String()
	switch t.death.Cause {
	case confine.OutOfMemory:
		return t.tool.Limits.OutOfMemory(detail)
	case confine.StackOverflow:
		return engine.TooDeep(stackBound, detail)
	case confine.KilledByOther:
		return engine.Lost(detail)
	case confine.Killed:
		if err = cmp.Or(err, t.fault); err == nil || err == errAbandoned {
			return engine.Lost("the pool was closed")
		}
		return engine.Crashed(fmt.Sprintf("the worker was killed: %v", err))
	}
	return engine.Crashed(detail + "\n" + t.death.Note)
}

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
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
	// roomInPipe is what a worker that waits can be sent, in bytes, without
	// waiting for it.
	roomInPipe = 32 << 10
)

var (
	// errNotBegun says that the worker was dead before it could be sent the call.
	errNotBegun = errors.New("the worker was dead already")
	// errUnheard says that the worker was killed from outside before it said
	// anything of the call, which so had no effect yet.
	errUnheard = errors.New("the worker was killed before it was heard of")
)

// A trip is one call on its way to a worker and back.
type trip struct {
	*process
	tool   *engine.Tool
	host   engine.Host
	kinds  map[string]bool // the effects that there are
	memory int64           // what the worker may hold
	ctx    context.Context // of whoever waits

	began   time.Time
	effects context.Context // ctx with the call's time limit; nil until it is needed
	stop    func()          // for effects
	guarded bool            // a guard reads from the worker; it says in heard when it is done
	heard   chan struct{}
	spoke   bool        // the worker has sent something of the call
	logged  int         // bytes
	over    atomic.Bool // the worker held too much
}

// run sends a call, serves its effects, and returns what it came to. The worker
// can be used again unless there is an error. With errNotBegun nothing was done,
// and with errUnheard nothing that shows; with any other one, out is the answer.
func (t *trip) run(m callMessage, done *doneMessage) (out engine.Outcome, err error) {
	t.calls++
	t.number++
	m.Number = t.number
	t.began = time.Now()
	deadline := t.began.Add(t.tool.Limits.Timeout + graceTime)
	t.From.SetReadDeadline(deadline)
	if len(m.Arguments) > roomInPipe {
		t.To.SetWriteDeadline(deadline)
		defer t.To.SetWriteDeadline(time.Time{})
	}
	if err := t.out.send(kindCall, m); err != nil {
		if isBroken(err) {
			t.fell()
			return out, errNotBegun
		}
		return t.lost(err), err
	}
	uncancel := context.AfterFunc(t.ctx, t.cancel)
	defer t.watch()()
	defer t.endEffects()
	if err := t.listen(done); err != nil {
		uncancel()
		if out = t.lost(err); out.Class == engine.ClassLost && !t.spoke && !t.ended.Load() {
			err = errUnheard
		}
		return out, err
	}
	if !uncancel() {
		return out, errCancelled // what cancels it may still be at it
	}
	return out, nil
}

// cancel asks the worker to end the call soon.
func (t *trip) cancel() {
	m := cancelMessage{Number: t.number}
	if cause := context.Cause(t.ctx); errors.Is(cause, engine.ErrStopping) {
		m.Stopping = cause.Error()
	}
	t.From.SetReadDeadline(time.Now().Add(cancelTime))
	t.out.send(kindCancel, m) // where it fails, the deadline is soon
}

// listen hears what the worker says until the call is done.
func (t *trip) listen(done *doneMessage) error {
	for {
		if t.guarded {
			<-t.heard
			t.guarded = false
		}
		k, data, err := t.in.receive()
		if err != nil {
			return err
		}
		t.spoke = true
		switch k {
		case kindEffect, kindLog:
			var m effectMessage
			if err := decode(data, &m, maxValues); err != nil {
				return err
			}
			if err := t.serve(k, &m); err != nil {
				return err
			}
		case kindOutcome:
			if err := decode(data, done, maxValues); err != nil {
				return err
			}
			return done.check()
		default:
			return fmt.Errorf("it sends a frame of kind %d", k)
		}
	}
}

// watch looks after the worker's memory where nothing else bounds it.
func (t *trip) watch() (stop func()) {
	if t.lacking&confine.LacksMemory == 0 {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(pollTime)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if use, err := t.Usage(); err == nil && use.Resident > t.memory {
				t.over.Store(true)
				t.abandon()
			}
		}
	}()
	return func() { close(done) }
}

// lost is the outcome of a call whose worker is dead, or has to die: it did not
// answer in time, or said what no worker says.
func (t *trip) lost(err error) engine.Outcome {
	limits := t.tool.Limits
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		t.abandon()
		if cause := context.Cause(t.ctx); cause != nil {
			return engine.Ended(cause)
		}
		return limits.TimedOut("the call did not end by itself, and its process was killed")
	case err != io.EOF && err != io.ErrUnexpectedEOF && !isBroken(err):
		t.abandon()
		return engine.Crashed(fmt.Sprintf("the worker was killed: %v", err))
	}
	death := t.fell()
	detail := "the worker " + death.String()
	switch {
	case death.Cause == confine.OutOfMemory || t.over.Load():
		return limits.OutOfMemory(detail)
	case death.Cause == confine.StackOverflow:
		return engine.TooDeep(stackBound, detail)
	case t.ended.Load():
		return engine.Lost("the pool was closed")
	case death.Cause == confine.KilledByOther || death.Cause == confine.Killed:
		return engine.Lost(detail)
	}
	return engine.Crashed(detail + "\n" + death.Note)
}

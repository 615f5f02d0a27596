package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// serve performs an effect that the worker asks for, as far as the tool's host
// does, and answers.
func (t *trip) serve(k kind, m *effectMessage) error {
	switch {
	case !t.kinds[m.Kind]:
		return fmt.Errorf("it asks for the effect %q, which there is not", m.Kind)
	case k == kindLog:
		return t.log(m)
	}
	answer := t.perform(engine.Effect{Kind: m.Kind, Args: m.Args})
	answer.Number = m.Number
	err := t.out.send(kindAnswer, answer)
	var oversize *oversizeError
	if errors.As(err, &oversize) {
		answer = answerMessage{Number: m.Number, Failure: effectFailed, Kind: engine.TooBig, Message: m.Kind + ": the answer is too big"}
		err = t.out.send(kindAnswer, answer)
	}
	if isBroken(err) {
		return nil // it is dying, which is told elsewhere
	}
	return err
}

// guardTime is how long an effect takes before somebody looks whether its worker
// is still there.
const guardTime = 20 * time.Millisecond

// guard ends the effects of a call whose worker is dead. It returns when there
// is something to be read from the worker.
func (t *trip) guard() {
	if _, err := t.in.from.Peek(1); err != nil && !os.IsTimeout(err) {
		t.stop()
	}
	t.heard <- struct{}{}
}

// begin returns the context of the call's effects, which ends at its time limit.
func (t *trip) begin() context.Context {
	if t.effects == nil {
		t.effects, t.stop = context.WithDeadlineCause(t.ctx, t.began.Add(t.tool.Limits.Timeout), engine.ErrTimeout)
		t.heard = make(chan struct{}, 1)
	}
	return t.effects
}

func (t *trip) endEffects() {
	if t.stop != nil {
		t.stop()
	}
}

// perform has the tool's host perform an effect.
func (t *trip) perform(e engine.Effect) (a answerMessage) {
	defer func() {
		if r := recover(); r != nil {
			a = answerMessage{Failure: hostPanicked, Message: fmt.Sprintf("%v\n\n%s", r, debug.Stack())}
		}
	}()
	ctx := t.begin()
	guard := time.AfterFunc(guardTime, t.guard)
	defer func() { t.guarded = !guard.Stop() }()
	value, err := t.host.Perform(ctx, e)
	var effect *engine.EffectError
	switch {
	case context.Cause(ctx) != nil:
		return answerMessage{Failure: callEnded}
	case err == nil:
		return answerMessage{Value: value}
	case errors.As(err, &effect):
		return answerMessage{Failure: effectFailed, Kind: effect.Kind, Message: effect.Message}
	}
	return answerMessage{Failure: hostFailed, Message: err.Error()}
}

// log passes on what a call logs. The worker keeps to the limit by itself, as
// long as it is in order.
func (t *trip) log(m *effectMessage) error {
	const slack = 4 << 10 // for what says that the limit is reached, and for names
	if m.Kind != "log" {
		return fmt.Errorf("it asks for the effect %q without waiting", m.Kind)
	}
	if t.logged += logSize(m.Args); t.logged > 2*t.tool.Limits.Print+slack {
		return errors.New("it logs more than a call may")
	}
	defer func() { recover() }() // a logger that panics is no reason to end a call
	t.host.Perform(t.begin(), engine.Effect{Kind: "log", Args: m.Args})
	return nil
}

// logSize is about how many bytes plain data takes in a log.
func logSize(v any) int {
	n := 1
	switch v := v.(type) {
	case string:
		n += len(v)
	case []byte:
		n += len(v)
	case []any:
		for _, e := range v {
			n += logSize(e)
		}
	case map[string]any:
		for k, e := range v {
			n += len(k) + logSize(e)
		}
	}
	return n
}

// isBroken reports whether an error says that a process is not there any more.
func isBroken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, fs.ErrClosed)
}

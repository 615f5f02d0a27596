package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"sync"

	"github.com/starmcp/starmcp/engine"
)

// errCancelled is the cause of a call's context when nobody waits for it.
var errCancelled = errors.New("the call was cancelled")

// A running call, as it can be cancelled.
type running struct {
	mu     sync.Mutex
	number int64 // 0: there is none
	cancel context.CancelCauseFunc
}

func (r *running) set(number int64, cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.number, r.cancel = number, cancel
}

// end cancels the call of that number, where it still runs.
func (r *running) end(m cancelMessage) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.number == m.Number {
		r.cancel(errCancelled)
	}
	return nil
}

// work answers calls, one after the other.
func (w *worker) work() {
	for m := range w.calls {
		done := w.answer(m)
		done.Held = held()
		if err := w.reply(done); err != nil {
			fmt.Fprintln(os.Stderr, "worker: cannot answer:", err)
			os.Exit(1)
		}
	}
}

// reply sends what a call came to. What no frame can hold is not sent.
func (w *worker) reply(done doneMessage) error {
	err := w.out.send(kindOutcome, done)
	var oversize *oversizeError
	if errors.As(err, &oversize) {
		done.Outcome, done.Arguments, done.Notes = newOutcomeMessage(engine.DefaultLimits.TooBig()), nil, nil
		err = w.out.send(kindOutcome, done)
	}
	return err
}

// answer does one call.
func (w *worker) answer(m callMessage) doneMessage {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w.running.set(m.Number, cancel)
	defer w.running.set(0, nil)
	if !m.Explain {
		out := w.table.Do(ctx, engine.Request{Kind: engine.Call, Tool: m.Tool, Arguments: m.Arguments, Client: m.Client})
		return doneMessage{Outcome: newOutcomeMessage(out)}
	}
	arguments, notes, refused := w.table.Arguments(ctx, m.Tool, m.Arguments)
	if refused != nil {
		return doneMessage{Outcome: newOutcomeMessage(*refused)}
	}
	return doneMessage{Arguments: arguments, Notes: notes}
}

// held is how many bytes Go holds of the machine's memory.
func held() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

package sandbox

import (
	"context"
	"errors"
	"runtime/metrics"

	"github.com/starmcp/starmcp/engine"
)

// errCancelled is the cause of a call's context when nobody waits for it.
var errCancelled = errors.New("the call was cancelled")

// answer does one call.
func (w *worker) answer(m *callMessage) doneMessage {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w.inbox.begin(m.Number, cancel)
	done := w.do(ctx, m)
	took := w.inbox.end()
	if w.calls++; took > patience || w.calls%sampled == 0 {
		done.Held = held()
	}
	return done
}

// sampled is how many short calls pass before the worker looks what it holds:
// no one of them leaves much behind.
const sampled = 32

func (w *worker) do(ctx context.Context, m *callMessage) doneMessage {
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

// reply sends what a call came to. What no frame can hold is not sent.
func (w *worker) reply(done doneMessage) error {
	err := w.out.send(kindOutcome, done)
	if _, oversize := errors.AsType[*oversizeError](err); oversize {
		err = w.out.send(kindOutcome, doneMessage{Outcome: newOutcomeMessage(engine.DefaultLimits.TooBig()), Held: done.Held})
	}
	return err
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

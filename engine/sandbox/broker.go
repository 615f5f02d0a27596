package sandbox

import (
	"context"
	"errors"

	"github.com/starmcp/starmcp/engine"
)

// A broker is the host of every tool in a worker: it asks the parent, who knows
// what the tool needs. It serves one call at a time.
type broker struct {
	out     *sender
	asked   int64
	answers chan answerMessage // the latest
}

// Perform asks for an effect and waits for the answer. A log entry is on its
// way when it returns.
func (b *broker) Perform(ctx context.Context, e engine.Effect) (any, error) {
	if e.Kind == "log" {
		return nil, b.ask(effectMessage{Kind: e.Kind, Args: e.Args})
	}
	b.asked++
	if err := b.ask(effectMessage{Number: b.asked, Kind: e.Kind, Args: e.Args}); err != nil {
		return nil, err
	}
	for {
		select {
		case a := <-b.answers:
			if a.Number == b.asked {
				return a.result(ctx)
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (b *broker) ask(m effectMessage) error {
	k := kindEffect
	if m.Number == 0 {
		k = kindLog
	}
	err := b.out.send(k, m)
	var oversize *oversizeError
	if errors.As(err, &oversize) {
		return engine.Effectf(engine.TooBig, "%s: what it was given is too big: %v", m.Kind, err)
	}
	return err
}

// settle takes an answer, in the place of one that nobody waited for.
func (b *broker) settle(a answerMessage) error {
	select {
	case <-b.answers:
	default:
	}
	b.answers <- a
	return nil
}

// result is what the parent's host returned.
func (a *answerMessage) result(ctx context.Context) (any, error) {
	switch a.Failure {
	case succeeded:
		return a.Value, nil
	case effectFailed:
		return nil, &engine.EffectError{Kind: a.Kind, Message: a.Message}
	case hostPanicked:
		panic(a.Message)
	case callEnded:
		// The end is on its way here, or due by this process's own clock.
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	return nil, errors.New(a.Message)
}

// brokerage is the policy of a worker. What tools need was reviewed before, and
// is known to the parent alone.
type brokerage struct{ *broker }

func (b brokerage) With(engine.Needs, string) (engine.Policy, []engine.NeedError) { return b, nil }
func (b brokerage) Review(engine.Needs) []engine.NeedError                        { return nil }
func (b brokerage) Coverage(engine.Needs) []engine.Coverage                       { return nil }
func (b brokerage) Host(string, engine.Needs) engine.Host                         { return b.broker }

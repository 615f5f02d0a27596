package sandbox

import (
	"context"
	"errors"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// A broker is the host of every tool in a worker: it asks the parent, who knows
// what the tool needs. It serves one call at a time.
type broker struct {
	out   *sender
	inbox *inbox
	asked int64
}

// Perform asks for an effect and waits for the answer. A log entry is on its
// way when it returns.
func (b *broker) Perform(ctx context.Context, e engine.Effect) (any, error) {
	if e.Kind == "log" {
		return nil, b.ask(kindLog, effectMessage{Kind: e.Kind, Args: e.Args})
	}
	b.asked++
	if err := b.ask(kindEffect, effectMessage{Number: b.asked, Kind: e.Kind, Args: e.Args}); err != nil {
		return nil, err
	}
	a, err := b.inbox.answer(ctx, b.asked)
	if err != nil {
		return nil, err
	}
	return a.result(ctx)
}

func (b *broker) ask(k kind, m effectMessage) error {
	err := b.out.send(k, m)
	if oversize, ok := errors.AsType[*oversizeError](err); ok {
		return engine.Effectf(engine.TooBig, "%s: what it was given is too big: %v", m.Kind, oversize)
	}
	return err
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
		// Its time is up, which this process is about to notice as well, or it
		// was cancelled.
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(graceTime):
			return nil, errCancelled
		}
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

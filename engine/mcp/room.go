package mcp

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// A room is where calls run: so many at once, whatever brings them. A few more
// wait at its door, a short time; what finds no place is told so and can be
// tried again, which is better than an answer after its client has given up.
type room struct {
	places  chan struct{}
	waiting atomic.Int64
	door    int64         // how many may wait
	most    time.Duration // how long
}

// perPlace is how many calls may wait for each that can run. The usual ones take
// a fraction of a millisecond and come in bursts, so that even the last of these
// has its turn in time.
const perPlace = 16

func newRoom(calls int) *room {
	return &room{
		places: make(chan struct{}, calls),
		door:   int64(calls) * perPlace,
		most:   time.Second,
	}
}

// capacity is how many calls are in the room and at its door at most.
func (r *room) capacity() int { return cap(r.places) + int(r.door) }

// enter takes a place, for which leave has to be called; or returns the outcome
// of a call that has none.
func (r *room) enter(ctx context.Context) *engine.Outcome {
	select {
	case r.places <- struct{}{}:
		return nil
	default:
		return r.wait(ctx)
	}
}

func (r *room) leave() { <-r.places }

// wait takes a place that becomes free. Those who wait longest are first.
func (r *room) wait(ctx context.Context) *engine.Outcome {
	defer r.waiting.Add(-1)
	if r.waiting.Add(1) > r.door {
		return r.full()
	}
	timer := time.NewTimer(r.most)
	defer timer.Stop()
	select {
	case r.places <- struct{}{}:
		return nil
	case <-timer.C:
		return r.full()
	case <-ctx.Done():
		outcome := engine.Ended(context.Cause(ctx))
		return &outcome
	}
}

func (r *room) full() *engine.Outcome {
	outcome := engine.Busy(fmt.Sprintf("the server is too busy: it runs %d calls at once; try again in a moment", cap(r.places)))
	return &outcome
}

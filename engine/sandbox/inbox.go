package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// patience is how long a call runs before somebody listens whether it is
// cancelled. Most calls are over by then, and need no other goroutine.
const patience = time.Millisecond

// An inbox is where a worker hears its parent. The goroutine that works reads
// frames itself: the next call, and the answers to its effects. Only while a
// call goes on for long, a listener has taken that over.
type inbox struct {
	in      *receiver
	answers chan *answerMessage // heard by the listener; the latest
	handed  chan heardMessage   // what the listener could not deal with; it has ended then

	mu        sync.Mutex
	call      int64                   // the number of the call that runs; 0: none
	cancel    context.CancelCauseFunc // for the call
	began     time.Time
	waits     bool // the call reads frames itself
	listening bool
	armed     bool // a look at how long the call runs is due
}

// A heardMessage is what the next frame holds, or why there is none.
type heardMessage struct {
	message any
	err     error
}

func newInbox(in *receiver) *inbox {
	return &inbox{in: in, answers: make(chan *answerMessage, 1), handed: make(chan heardMessage, 1)}
}

// next returns what comes between calls.
func (b *inbox) next() (any, error) {
	b.mu.Lock()
	listening := b.listening
	b.mu.Unlock()
	if !listening {
		return b.read()
	}
	h := <-b.handed
	b.mu.Lock()
	b.listening = false
	b.mu.Unlock()
	return h.message, h.err
}

// read reads a frame of the parent, which is trusted.
func (b *inbox) read() (m any, err error) {
	k, data, err := b.in.receive()
	if err != nil {
		return nil, err
	}
	switch k {
	case kindOpen:
		m = new(openMessage)
	case kindLoad:
		m = new(loadMessage)
	case kindCall:
		m = new(callMessage)
	case kindAnswer:
		m = new(answerMessage)
	case kindCancel:
		m = new(cancelMessage)
	default:
		return nil, fmt.Errorf("a frame of kind %d is unexpected here", k)
	}
	return m, decode(data, m, maxFrame)
}

// begin says that a call runs from now on.
func (b *inbox) begin(number int64, cancel context.CancelCauseFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.call, b.cancel, b.began = number, cancel, time.Now()
	b.arm(patience)
}

// end says that the call has ended, and how long it took.
func (b *inbox) end() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.call, b.cancel = 0, nil
	return time.Since(b.began)
}

// arm has somebody look in a while. One look is due for many calls.
func (b *inbox) arm(after time.Duration) {
	if !b.armed {
		b.armed = true
		time.AfterFunc(after, b.look)
	}
}

// look starts to listen where a call runs for long.
func (b *inbox) look() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed = false
	if b.call == 0 || b.waits || b.listening {
		return
	}
	if left := patience - time.Since(b.began); left > 0 {
		b.arm(left)
		return
	}
	b.listening = true
	go b.listen()
}

// listen hears what is said to a call, until there is something else.
func (b *inbox) listen() {
	for {
		m, err := b.read()
		switch m := m.(type) {
		case *answerMessage:
			b.settle(m)
		case *cancelMessage:
			b.cancelled(m)
		default:
			b.handed <- heardMessage{m, err}
			return
		}
	}
}

// settle takes an answer, in the place of one that nobody waited for.
func (b *inbox) settle(m *answerMessage) {
	select {
	case <-b.answers:
	default:
	}
	b.answers <- m
}

// cancelled cancels a call, where it still runs.
func (b *inbox) cancelled(m *cancelMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.call == m.Number {
		b.cancel(m.cause())
	}
}

// answer returns the answer to the effect of that number, or why the call ends
// meanwhile.
func (b *inbox) answer(ctx context.Context, number int64) (*answerMessage, error) {
	if !b.wait(true) {
		return b.hear(ctx, number)
	}
	defer b.wait(false)
	for {
		m, err := b.read()
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *answerMessage:
			if m.Number == number {
				return m, nil
			}
		case *cancelMessage:
			if b.cancelled(m); ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		default:
			return nil, fmt.Errorf("a %T is unexpected during a call", m)
		}
	}
}

// wait says whether the call reads frames itself, which it cannot where there
// is a listener.
func (b *inbox) wait(waits bool) (can bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listening {
		return false
	}
	if b.waits = waits; !waits {
		b.arm(patience)
	}
	return true
}

// hear waits for what the listener hears.
func (b *inbox) hear(ctx context.Context, number int64) (*answerMessage, error) {
	for {
		select {
		case m := <-b.answers:
			if m.Number == number {
				return m, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

const (
	stackBound = 64 << 20         // bytes; deeper is no script that means well
	openTime   = 20 * time.Second // for a worker to start and to open its image
	dyingTime  = time.Second      // for a process that fell silent to be dead
)

// A process is a worker as its parent sees it.
type process struct {
	*confine.Process
	out *sender

	lacking confine.Lacking
	number  int64 // of its latest call
	calls   int

	busy      atomic.Bool   // it has been asked for something
	messages  chan any      // what it says while it is busy
	abandoned chan struct{} // closed when nobody listens any more
	abandon   func()        // kills it
	gone      chan struct{} // closed when it is dead; what follows is set then
	death     confine.Death
	fault     error // why nobody listens to it any more; nil: it died first
}

// startProcess starts a worker and calls died when it is dead.
func startProcess(b confine.Bounds, died func(*process)) (*process, error) {
	started, err := confine.Start(workerArguments(b)...)
	if err != nil {
		return nil, err
	}
	p := &process{
		Process: started, out: &sender{to: started.To},
		messages: make(chan any), abandoned: make(chan struct{}), gone: make(chan struct{}),
	}
	p.abandon = sync.OnceFunc(func() {
		close(p.abandoned)
		p.Kill()
	})
	go func() {
		p.watch()
		died(p)
	}()
	return p, nil
}

// watch listens until the worker is dead.
func (p *process) watch() {
	defer close(p.gone)
	if err := p.listen(); err != io.EOF {
		p.fault = err
		p.Kill()
	}
	defer time.AfterFunc(dyingTime, p.Kill).Stop()
	p.death = p.Wait()
}

var errAbandoned = errors.New("nobody listens to it any more")

// listen passes on what the worker says. It returns when there is no more, or
// when it says what no worker says.
func (p *process) listen() error {
	in := newReceiver(p.From)
	for {
		k, data, err := in.receive()
		if err != nil {
			return err
		}
		m, err := understand(k, data)
		switch {
		case err != nil:
			return err
		case !p.busy.Load():
			return errors.New("it speaks without being asked")
		}
		select {
		case p.messages <- m:
		case <-p.abandoned:
			return errAbandoned
		}
	}
}

// understand decodes what a worker says of calls.
func understand(k kind, data []byte) (m any, err error) {
	switch k {
	case kindReady:
		m = new(readyMessage)
	case kindEffect, kindLog:
		m = new(effectMessage)
	case kindOutcome:
		m = new(doneMessage)
	default:
		return nil, fmt.Errorf("it sends a frame of kind %d", k)
	}
	if err := decode(data, m, maxValues); err != nil {
		return nil, fmt.Errorf("it sends a malformed frame of kind %d: %w", k, err)
	}
	return m, nil
}

// open has the worker open an image, given as frames.
func (p *process) open(frames []byte) error {
	p.busy.Store(true)
	defer p.busy.Store(false)
	deadline := time.NewTimer(openTime)
	defer deadline.Stop()
	p.To.SetWriteDeadline(time.Now().Add(openTime))
	if _, err := p.To.Write(frames); err != nil {
		return p.unready(err)
	}
	p.To.SetWriteDeadline(time.Time{})
	select {
	case m := <-p.messages:
		ready, ok := m.(*readyMessage)
		if !ok {
			return p.unready(fmt.Errorf("it says %T before it is ready", m))
		}
		p.lacking = ready.Lacking
		return nil
	case <-p.gone:
		return p.unready(nil)
	case <-deadline.C:
		return p.unready(fmt.Errorf("it is not ready within %v", openTime))
	}
}

// unready ends a worker that never was of use, and tells why.
func (p *process) unready(err error) error {
	p.abandon()
	<-p.gone
	if p.death.Cause != confine.Killed {
		return fmt.Errorf("a worker ended before it was ready: %s", p.death)
	}
	return fmt.Errorf("a worker cannot be used: %w", errors.Join(err, p.fault))
}

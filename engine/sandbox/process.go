package sandbox

import (
	"fmt"
	"io"
	"os"
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

// A process is a worker as its parent sees it. It is for one goroutine at a
// time, but for abandon.
type process struct {
	*confine.Process
	out     *sender
	in      *receiver
	lacking confine.Lacking
	number  int64 // of its latest call
	calls   int
	ended   atomic.Bool // by its parent
	bury    func()      // counts it out when it is dead, in the background
}

// startProcess starts a worker, and calls died when it is dead.
func startProcess(b confine.Bounds, died func(*process)) (*process, error) {
	started, err := confine.Start(workerArguments(b)...)
	if err != nil {
		return nil, err
	}
	p := &process{Process: started, out: &sender{to: started.To}, in: newReceiver(started.From)}
	p.bury = sync.OnceFunc(func() {
		go func() {
			defer died(p)
			defer time.AfterFunc(dyingTime, p.Kill).Stop()
			p.Wait()
		}()
	})
	return p, nil
}

// abandon kills the worker. Whoever reads from it finds that it is dead.
func (p *process) abandon() {
	p.ended.Store(true)
	p.Kill()
	p.bury()
}

// fell waits for the death of a worker that fell silent.
func (p *process) fell() confine.Death {
	p.bury()
	return p.Wait()
}

// open has the worker open an image, given as frames.
func (p *process) open(frames []byte) error {
	deadline := time.Now().Add(openTime)
	p.To.SetWriteDeadline(deadline)
	p.From.SetReadDeadline(deadline)
	var ready readyMessage
	_, err := p.To.Write(frames)
	if err == nil || isBroken(err) { // then it may say why
		err = p.expect(kindReady, &ready)
	}
	switch {
	case err == io.EOF:
		return fmt.Errorf("a worker ended before it was ready: %s", p.fell())
	case err != nil:
		p.abandon()
		return fmt.Errorf("a worker cannot be used: %w", err)
	}
	p.lacking = ready.Lacking
	return nil
}

// expect reads a message that must be the next.
func (p *process) expect(want kind, m any) error {
	k, data, err := p.in.receive()
	switch {
	case err != nil:
		return err
	case k != want:
		return fmt.Errorf("it sends a frame of kind %d before it is ready", k)
	}
	return decode(data, m, maxValues)
}

// alive looks whether an idle worker is there, and silent as it should be.
func (p *process) alive() bool {
	p.From.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := p.in.from.Peek(1)
	return os.IsTimeout(err)
}

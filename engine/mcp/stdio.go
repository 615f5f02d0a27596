package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// maxUnsent is how many requests of one stream, beside the calls that are running
// or wait for that, may be on their way to being answered. They never wait for
// calls, so it is reached only by a client that does not take its answers; then
// what it sends waits in the pipe.
const maxUnsent = 64

// ServeStdio answers the messages that come on in, one a line, on out, until in
// ends or ctx does. What was read by then is answered, as far as it takes no
// longer than 1.5 s after the end of in, or [Grace] after that of ctx, and the
// rest is cancelled. The error is that of writing to out, if any. When ctx ends
// first, a goroutine is left behind that waits for in.
// Source: docs/specification/2026-07-28/basic/transports/stdio.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	calls, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	p := &pipe{
		server: s,
		ctx:    calls,
		cancel: cancel,
		out:    out,
		slots:  make(chan struct{}, s.room.capacity()+maxUnsent),
		calls:  map[string]*pending{},
	}
	eof := make(chan struct{})
	go func() {
		defer close(eof)
		p.read(newLineReader(in, s.maxLine))
	}()

	grace := s.eofGrace
	select {
	case <-eof:
	case <-calls.Done():
		grace = 0
	case <-ctx.Done():
		grace = s.stopGrace
	}
	if done := p.close(); !waitFor(done, grace) {
		cancel(engine.ErrStopping)
		waitFor(done, s.cancelGrace)
	}
	p.silent.Store(true)
	if err := context.Cause(calls); !errors.Is(err, engine.ErrStopping) {
		return err
	}
	return nil
}

func waitFor(done <-chan struct{}, most time.Duration) bool {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// A pipe is one client on stdio: a stream of messages each way.
type pipe struct {
	server *Server
	ctx    context.Context // of the calls
	cancel context.CancelCauseFunc
	slots  chan struct{}

	writing sync.Mutex
	out     io.Writer
	line    []byte      // the last one written, for its memory
	silent  atomic.Bool // nobody waits for answers any more

	mu      sync.Mutex
	calls   map[string]*pending // by id
	closed  bool
	running sync.WaitGroup
}

// A pending request was read and is not answered yet.
type pending struct {
	cancel  context.CancelFunc
	dropped bool // cancelled by the client: there will be no answer
}

// read takes messages until the input ends. The revision and the client that
// an initialize agreed on hold for what comes after it, so they are known here.
func (p *pipe) read(lines *lineReader) {
	agreed, client := newestLegacy, engine.Client{}
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return
		}
		x := newExchange()
		x.agreed, x.client = agreed, client
		var refused *rpcError
		if err != nil {
			refused = tooLarge(int64(lines.max))
		} else {
			refused = x.decoder.decode(line, &x.msg)
		}
		switch {
		case refused != nil:
			p.refuse(x, refused)
		case x.msg.notification():
			p.notified(x)
		case x.msg.method == "initialize":
			p.server.answer(p.ctx, x)
			agreed, client = x.agreed, x.client
			p.send(x)
		default:
			p.start(x)
		}
	}
}

// refuse answers what cannot be read as a request.
func (p *pipe) refuse(x *exchange, err *rpcError) {
	x.fail(err)
	p.server.logRefusal(p.ctx, x, err)
	p.send(x)
}

// notified takes a notification. The one that means something here is that a
// request is not wanted any more; one that cannot be understood is ignored.
// Source: docs/specification/2026-07-28/basic/patterns/cancellation.
func (p *pipe) notified(x *exchange) {
	defer x.release()
	if x.msg.method != "notifications/cancelled" || !x.msg.requestID.isID() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := requestKey(x.msg.requestID)
	if call := p.calls[key]; call != nil {
		call.dropped = true
		call.cancel()
		delete(p.calls, key)
	}
}

// requestKey is equal for ids that are, however they are written.
func requestKey(id raw) string {
	if id.isString() {
		return `"` + id.text()
	}
	return string(id)
}

// start answers a request beside others. It waits while too many answers are not
// taken.
func (p *pipe) start(x *exchange) {
	select {
	case p.slots <- struct{}{}:
	case <-p.ctx.Done():
		p.refuse(x, stopped())
		return
	}
	ctx, cancel := context.WithCancel(p.ctx)
	call := &pending{cancel: cancel}
	key := requestKey(x.msg.id)
	if err := p.register(key, call); err != nil {
		cancel()
		<-p.slots
		p.refuse(x, err)
		return
	}
	go func() {
		p.server.answer(ctx, x)
		cancel()
		if p.finish(key, call) && !x.unwanted {
			p.send(x)
		} else {
			x.release()
		}
		<-p.slots
		p.running.Done()
	}()
}

// register notes that a request is being answered. Two at once under one id
// could not be told apart by their answers.
func (p *pipe) register(key string, call *pending) *rpcError {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return stopped()
	case p.calls[key] != nil:
		return invalidRequest("Invalid request: another request with this id is still being answered")
	}
	p.calls[key] = call
	p.running.Add(1)
	return nil
}

func stopped() *rpcError {
	return &rpcError{code: codeInternal, message: "Internal error: " + engine.ErrStopping.Error()}
}

// finish notes that a request was answered, and tells whether to say so.
func (p *pipe) finish(key string, call *pending) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if call.dropped {
		return false
	}
	delete(p.calls, key)
	return true
}

// close takes no more requests; the channel is closed when all are answered.
func (p *pipe) close() <-chan struct{} {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	done := make(chan struct{})
	go func() {
		p.running.Wait()
		close(done)
	}()
	return done
}

// send writes a reply as one line, and gives the exchange back.
func (p *pipe) send(x *exchange) {
	defer x.release()
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.silent.Load() {
		return
	}
	p.line = append(append(append(append(p.line[:0], x.head...), x.body...), x.tail...), '\n')
	if _, err := p.out.Write(p.line); err != nil {
		p.cancel(err)
	}
	if cap(p.line) > maxKept {
		p.line = nil
	}
}

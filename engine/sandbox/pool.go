package sandbox

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// Options say how a pool runs calls. The zero value offers tools no effects.
type Options struct {
	Policy      engine.Policy      // performs effects; nil: there are none
	Modules     []*builtins.Module // those that workers have; see [Config]
	Concurrency int                // calls at once; 0: 64
	Queue       time.Duration      // how long a call beyond that waits; 0: two seconds
	Unfiltered  bool               // workers have no filter of system calls
	Log         *slog.Logger       // is told of workers that end without being told to; nil: nobody is
}

// A Pool runs the tools of an image in worker processes. It is an
// [engine.Toolset]; what does not need a script is answered in this process.
type Pool struct {
	*engine.Table // only tells of the tools

	hosts  map[string]engine.Host // by tool
	kinds  map[string]bool
	crew   *crew
	memory int64
}

var _ engine.Toolset = (*Pool)(nil)

const (
	defaultConcurrency = 64
	defaultQueue       = 2 * time.Second
)

// NewPool starts workers for an image. An error means that there can be none.
// The pool is to be closed.
func NewPool(image *engine.Image, opts Options) (*Pool, error) {
	frames, err := appendFrame(nil, kindOpen, newOpenMessage(image))
	if err != nil {
		return nil, err
	}
	err = eachPart(image, func(k kind, part any) (err error) {
		frames, err = appendFrame(frames, k, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	p := &Pool{Table: image.Outline(), hosts: make(map[string]engine.Host), kinds: effectKinds(opts.Modules)}
	for _, t := range p.Tools() {
		p.memory = max(p.memory, t.Limits.Memory)
		if opts.Policy != nil {
			p.hosts[t.Descriptor.Name] = opts.Policy.Host(t.Descriptor.Name, t.Needs)
		}
	}
	p.memory += imageFactor * int64(len(frames))
	p.crew = newCrew(opts, frames, confine.Bounds{Memory: p.memory, Stack: stackBound, Unfiltered: opts.Unfiltered})
	return p, p.crew.start()
}

// imageFactor is how many times as much memory as its encoding an open image
// takes, with all of its tools evaluated.
const imageFactor = 6

// effectKinds are the effects that scripts can ask for.
func effectKinds(modules []*builtins.Module) map[string]bool {
	kinds := maps.Clone(shippedKinds)
	addKinds(kinds, modules)
	return kinds
}

var shippedKinds = func() map[string]bool {
	kinds := make(map[string]bool)
	addKinds(kinds, builtins.Context())
	return kinds
}()

func addKinds(kinds map[string]bool, modules []*builtins.Module) {
	for _, m := range modules {
		for _, f := range m.Funcs {
			if f.Effect != nil {
				kinds[f.Effect.Kind] = true
			}
		}
	}
}

// Close ends the pool at once, with all calls that still run, and returns when
// no process is left.
func (p *Pool) Close() { p.crew.close() }

// Retire ends the pool when the last of its calls has ended. Calls that come
// even now are answered.
func (p *Pool) Retire() { p.crew.retire() }

// Lacking tells which bounds this system does not keep for workers.
func (p *Pool) Lacking() confine.Lacking { return p.crew.lacks() }

// Do answers one request.
func (p *Pool) Do(ctx context.Context, req engine.Request) engine.Outcome {
	tool := p.Tool(req.Tool)
	if req.Kind == engine.List || tool == nil || req.Refusal != "" {
		return p.Table.Do(ctx, req)
	}
	var done doneMessage
	if out, ok := p.send(ctx, tool, callMessage{Tool: req.Tool, Arguments: req.Arguments, Client: req.Client}, &done); !ok {
		return out
	}
	if done.Outcome == nil {
		return engine.Crashed("the worker only explained the call")
	}
	return done.Outcome.outcome()
}

// Arguments has a worker read the arguments of a call. Nothing runs.
func (p *Pool) Arguments(ctx context.Context, tool string, raw []byte) (arguments []byte, notes []string, refused *engine.Outcome) {
	found := p.Tool(tool)
	if found == nil {
		return p.Table.Arguments(ctx, tool, raw)
	}
	var done doneMessage
	out, ok := p.send(ctx, found, callMessage{Tool: tool, Arguments: raw, Explain: true}, &done)
	if ok && done.Outcome != nil {
		out, ok = done.Outcome.outcome(), false
	}
	if !ok {
		return nil, nil, &out
	}
	return done.Arguments, done.Notes, nil
}

// send makes one call. Where it is not ok, out is the answer.
func (p *Pool) send(ctx context.Context, tool *engine.Tool, m callMessage, done *doneMessage) (out engine.Outcome, ok bool) {
	if len(m.Arguments) > jsontree.ArgumentCaps.Bytes {
		return engine.TooLarge(), false
	}
	for unheard := 0; ; {
		w, refused := p.crew.take(ctx)
		if w == nil {
			return *refused, false
		}
		t := trip{process: w, tool: tool, host: p.host(tool), kinds: p.kinds, memory: p.memory, ctx: ctx}
		out, err := t.run(m, done)
		p.crew.give(w, err == nil && done.Held <= p.memory) // a fresh one holds less
		switch err {
		case nil, errCancelled:
			return out, true
		case errNotBegun:
			continue
		case errUnheard:
			if unheard++; unheard == 1 { // once more, and not for ever: it may be the call's doing
				continue
			}
		}
		return out, false
	}
}

func (p *Pool) host(tool *engine.Tool) engine.Host {
	if h := p.hosts[tool.Descriptor.Name]; h != nil {
		return h
	}
	return noHost{}
}

// noHost performs nothing.
type noHost struct{}

func (noHost) Perform(_ context.Context, e engine.Effect) (any, error) {
	return nil, engine.Effectf(engine.Denied, "%s: this server offers its tools no effects", e.Kind)
}

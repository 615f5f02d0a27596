package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/heap"
)

// A call is one run of a tool. Builtins find it on their thread.
type call struct {
	ctx     context.Context
	tool    *Tool
	secrets []string
	printed int  // bytes of print and ctx.log so far
	spent   bool // the interpreter's steps are used up
	heap    *heap.Watch
}

// threadKey is where a thread keeps the call that it runs.
const threadKey = "call"

// invoke runs the tool for one request, from raw arguments to an outcome.
func (t *Tool) invoke(ctx context.Context, req Request) Outcome {
	ctx, stop := context.WithTimeoutCause(ctx, t.Limits.Timeout, ErrTimeout)
	defer stop()

	if out := t.ready(); out != nil {
		return *out
	}
	bound, err := t.bind(ctx, req.Arguments)
	c := &call{ctx: ctx, tool: t, secrets: bound.Secrets}
	if err != nil {
		return c.argumentFault(err)
	}
	kwargs, err := t.keywords(bound.Arguments)
	if err != nil {
		return c.argumentFault(err)
	}
	out := c.outcome(c.run(kwargs, req.Client))
	out.Notes = append(out.Notes, bound.Notes...)
	return out
}

// run calls the script on a thread of its own.
func (c *call) run(kwargs []starlark.Tuple, client Client) (value starlark.Value, err error) {
	thread := &starlark.Thread{Name: c.tool.Descriptor.Name, Print: c.print}
	thread.SetLocal(threadKey, c)
	defer c.limitMemory(thread)()
	c.limitSteps(thread)
	stop := context.AfterFunc(c.ctx, func() { thread.Cancel(context.Cause(c.ctx).Error()) })
	defer stop()
	defer func() {
		if r := recover(); r != nil {
			err = builtins.Recovered(r)
		}
	}()
	ctx := c.tool.context
	if client != (Client{}) {
		ctx = ctx.With("client", clientValue(client))
	}
	return starlark.Call(thread, c.tool.call, starlark.Tuple{ctx}, kwargs)
}

// keywords makes the named arguments of a call, fresh values each time.
func (t *Tool) keywords(arguments jsontree.Node) ([]starlark.Tuple, error) {
	context, _ := t.call.Param(0)
	kwargs := make([]starlark.Tuple, len(arguments.Names))
	pairs := make([]starlark.Value, 2*len(arguments.Names))
	for i, name := range arguments.Names {
		if name == context {
			return nil, fmt.Errorf("/%s: expected no argument of this name, which this tool keeps for itself; leave it out", escapePointer(name))
		}
		value, err := builtins.FromJSON(arguments.Items[i])
		if err != nil {
			var cannot *builtins.ValueError
			if errors.As(err, &cannot) {
				cannot.Path = "/" + escapePointer(name) + cannot.Path
			}
			return nil, err
		}
		pairs[2*i], pairs[2*i+1] = starlark.String(name), value
		kwargs[i] = pairs[2*i : 2*i+2 : 2*i+2]
	}
	return kwargs, nil
}

// clientValue is ctx.client.
func clientValue(client Client) starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"name":    starlark.String(client.Name),
		"version": starlark.String(client.Version),
	})
}

// newContext makes what is the same on the ctx of every call of the tool. base
// is what it shares with tools that need the same capabilities.
func (t *Tool) newContext(base *builtins.Object) *builtins.Object {
	return base.
		With("caller", starlark.None).
		With("client", clientValue(Client{})).
		With("tool", starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
			"name":      starlark.String(t.Descriptor.Name),
			"read_only": starlark.Bool(!t.Needs.Mutating()),
		}))
}

// perform hands an effect to the host of the tool that a thread runs.
func perform(thread *starlark.Thread, f *builtins.Func, kind string, args map[string]any) (any, error) {
	c, ok := thread.Local(threadKey).(*call)
	if !ok {
		return nil, fmt.Errorf("%s: effects can be used only while the tool is called, not while its file is loaded", kind)
	}
	if kind == "log" {
		c.log(args)
		return nil, nil
	}
	answer, err := c.tool.host.Perform(c.ctx, Effect{Kind: kind, Args: args})
	if cause := context.Cause(c.ctx); cause != nil {
		return nil, cause
	}
	return answer, err
}

// print is the script's print: it goes to the log, like ctx.log.
func (c *call) print(thread *starlark.Thread, text string) {
	at := thread.CallFrame(1).Pos
	c.log(map[string]any{
		"message": text,
		"fields":  map[string]any{"at": fmt.Sprintf("%s:%d", at.Filename(), at.Line)},
	})
}

// log writes to the log until the call has printed all that it may. What is
// over that is dropped, which the log is told once.
func (c *call) log(args map[string]any) {
	limit := c.tool.Limits.Print
	if c.printed > limit {
		return
	}
	size := plainSize(args)
	if c.printed += size; c.printed > limit {
		args = map[string]any{"message": fmt.Sprintf("print limit of %s reached: what this call prints from here on is dropped", formatBytes(int64(limit)))}
	}
	c.tool.host.Perform(c.ctx, Effect{Kind: "log", Args: c.maskPlain(args).(map[string]any)})
}

// plainSize is about how many bytes plain data takes in a log.
func plainSize(v any) int {
	n := 0
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case []any:
		for _, e := range v {
			n += plainSize(e)
		}
	case map[string]any:
		for k, e := range v {
			n += len(k) + plainSize(e)
		}
	default:
		return 8
	}
	return n
}

// mask replaces secrets in what somebody will read.
func (c *call) mask(text string) string {
	for _, s := range c.secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}

func (c *call) maskPlain(v any) any {
	if len(c.secrets) == 0 {
		return v
	}
	switch v := v.(type) {
	case string:
		return c.mask(v)
	case []byte:
		if utf8.Valid(v) {
			return c.mask(string(v))
		}
	case []any:
		masked := make([]any, len(v))
		for i, e := range v {
			masked[i] = c.maskPlain(e)
		}
		return masked
	case map[string]any:
		masked := make(map[string]any, len(v))
		for k, e := range v {
			masked[c.mask(k)] = c.maskPlain(e)
		}
		return masked
	}
	return v
}

// A failure is what fail ends a call with: a message for the agent.
type failure struct{ message string }

func (f *failure) Error() string { return f.message }

// failBuiltin replaces Starlark's fail, whose error cannot be told from others,
// and which would write a message of any length.
var failBuiltin = starlark.NewBuiltin("fail", func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	message, err := builtins.Printed(thread, b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return nil, &failure{message}
})

package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
)

// The classes of what can go wrong with a call, as the log and, for a fault,
// the client is told.
const (
	ClassArguments    = "ArgumentsError"    // the arguments do not fit the input schema
	ClassTool         = "ToolError"         // the tool said so: fail or result.error
	ClassEffect       = "EffectError"       // an effect was refused or failed
	ClassTimeout      = "Timeout"           // the call's time was up
	ClassSteps        = "StepLimit"         // the call took too many steps
	ClassOutput       = "OutputLimit"       // the result is too big
	ClassMemory       = "MemoryLimit"       // the call used too much memory
	ClassSize         = "SizeLimit"         // a builtin was given a value that is too deep or too long for it
	ClassBusy         = "Busy"              // there was no room for the call
	ClassLost         = "Lost"              // the process that ran the call was ended by somebody else
	ClassCancelled    = "Cancelled"         // nobody waits for the answer
	ClassStopped      = "Stopped"           // the server stopped before the call had ended
	ClassEval         = "EvalError"         // the script is wrong
	ClassResult       = "ResultError"       // what it returned cannot be sent
	ClassOutputSchema = "OutputSchemaError" // what it returned breaks its output schema
	ClassPanic        = "HostPanic"         // starmcp, or a library, is wrong
)

// ErrStopping is the cause with which a server that stops ends the context of
// calls that still run. Their callers, who wait, learn it; a call whose context
// ends for any other cause is taken for one that nobody waits for.
var ErrStopping = errors.New("the server is stopping")

// argumentFault is the outcome of arguments that cannot be used. The call does
// not run. Its message names members, and one may be called what another holds
// in secret.
func (c *call) argumentFault(err error) Outcome {
	var notObject *schema.NotObjectError
	var p *builtins.PanicError
	switch {
	case errors.Is(err, context.Cause(c.ctx)):
		return c.outcome(nil, err)
	case errors.As(err, &notObject):
		return Outcome{Status: Refused, Reason: NotAnObject, Message: err.Error(), Class: ClassArguments}
	case errors.As(err, &p):
		return c.fault(ClassPanic, err)
	}
	return errorOutcome(ClassArguments, c.mask(err.Error()))
}

// errorOutcome is a result that tells the agent what went wrong.
func errorOutcome(class, message string) Outcome {
	block := builtins.TextBlock(message)
	return Outcome{IsError: true, Class: class, Content: []Block{{Type: block.Type, JSON: block.JSON}}}
}

// outcome makes the answer from what the script returned, or from its error.
func (c *call) outcome(value starlark.Value, err error) Outcome {
	if err == nil {
		return c.result(value)
	}
	switch cause := context.Cause(c.ctx); {
	case c.spent:
		return c.refusal(ClassSteps, fmt.Sprintf("the call took more than its limit of %d steps; ask for less at once", c.tool.Limits.Steps), err)
	case errors.Is(cause, ErrTimeout):
		return c.refusal(ClassTimeout, c.tool.Limits.timeoutMessage(), err)
	case errors.Is(cause, ErrMemory):
		return c.refusal(ClassMemory, c.tool.Limits.memoryMessage(), err)
	case errors.Is(cause, ErrStopping):
		return c.refusal(ClassStopped, stoppedMessage(cause), err)
	case cause != nil:
		return c.refusal(ClassCancelled, "the call was cancelled", err)
	}
	var failed *failure
	var effect *EffectError
	var p *builtins.PanicError
	switch {
	case errors.As(err, &p):
		return c.fault(ClassPanic, err)
	case errors.As(err, &failed):
		return c.toolError(failed.message)
	case errors.As(err, &effect):
		return c.refusal(ClassEffect, effect.Message, err)
	}
	if class := limitClass(err); class != "" {
		return c.refusal(class, errorMessage(err), err)
	}
	return c.fault(ClassEval, err)
}

// limitClass is the class of an error of a builtin that was given, or would have
// made, more than it may; else "". Its message tells sizes and no data.
func limitClass(err error) string {
	var limit *builtins.LimitError
	var decoded *jsontree.CapError
	var encoded *builtins.SizeError
	switch {
	case errors.As(err, &limit) && limit.Memory:
		return ClassMemory
	case errors.As(err, &limit), errors.As(err, &decoded), errors.As(err, &encoded):
		return ClassSize
	}
	return ""
}

// toolError is what the tool itself says went wrong.
func (c *call) toolError(message string) Outcome {
	return c.refusal(ClassTool, cutNote(message, c.tool.Limits.Output), nil)
}

// refusal is a result with IsError: what the agent can do something about.
// err, where there is one, tells the log where in the script it happened.
func (c *call) refusal(class, message string, err error) Outcome {
	message = c.mask(message)
	out := errorOutcome(class, message)
	out.Log = append(out.Log, slog.String("err", firstLine(message)))
	if err != nil {
		if frames := framesOf(err); len(frames) > 0 {
			out.Log = append(out.Log, slog.String("at", frames[0].Pos.String()))
		}
	}
	return out
}

// fault is a mistake of the tool's author, or of starmcp. The client gets its
// class and a reference; what happened may carry data and goes to the log alone.
func (c *call) fault(class string, err error) Outcome {
	return c.faultAt(framesOf(err), class, err)
}

// faultAt is a fault at given frames of the script.
func (c *call) faultAt(frames []starlark.CallFrame, class string, err error) Outcome {
	message, hint := splitHint(errorMessage(err))
	if hint != "" {
		message += " (" + hint + ")"
	}
	return Outcome{
		Status:    Fault,
		Class:     class,
		Reference: newReference(),
		Detail:    c.mask(strings.TrimRight(class+": "+message+"\n"+backtrace(err, frames, c.tool.sourceLine), "\n")),
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// newReference names a log entry to a client, who can learn nothing from it.
func newReference() string {
	var b [6]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// bind reads the arguments. A panic of the validator becomes an error.
func (t *Tool) bind(ctx context.Context, raw []byte) (bound schema.Bound, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = builtins.Recovered(r)
		}
	}()
	return t.input.Bind(ctx, raw)
}

// checkOutput validates a structured result against the output schema.
func (t *Tool) checkOutput(ctx context.Context, text []byte) (err error) {
	if t.output == nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = builtins.Recovered(r)
		}
	}()
	doc, err := jsontree.Parse(text, jsontree.Caps{})
	if err != nil {
		return err
	}
	return t.output.Validate(ctx, doc)
}

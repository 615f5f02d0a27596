package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
)

// excerptSize is how much of structured data that is too big is shown, in bytes.
const excerptSize = 64 << 10

// result makes the outcome of what the script returned.
func (c *call) result(value starlark.Value) Outcome {
	if r, ok := value.(*builtins.Result); ok {
		switch {
		case r.IsError:
			return c.failedResult(r)
		case r.Structured != nil:
			return c.structured(r.Structured, r.Summary)
		case c.tool.output != nil:
			return c.returned(ClassOutputSchema, errors.New("the tool returned content blocks, and its output_schema promises structured data: return a plain value, or result.json"))
		}
		return c.content(r.Blocks)
	}
	if c.tool.output != nil {
		return c.structured(value, "")
	}
	switch v := value.(type) {
	case starlark.NoneType:
		return c.content(nil)
	case starlark.String:
		return c.content([]builtins.Block{{Type: "text", Text: string(v)}})
	case starlark.Bytes:
		return c.content([]builtins.Block{{Type: "text", Text: string(v)}})
	}
	return c.structured(value, "")
}

// failedResult is what result.error gave: text for the agent to read.
func (c *call) failedResult(r *builtins.Result) Outcome {
	var text []string
	for _, b := range r.Blocks {
		text = append(text, b.Text)
	}
	return c.toolError(strings.Join(text, "\n"))
}

// structured encodes a value, and checks it against the output schema: a result
// that breaks it is never sent as a success.
func (c *call) structured(value starlark.Value, summary string) Outcome {
	limit := c.tool.Limits.Output
	text, err := c.encode(value, limit)
	var tooBig *builtins.SizeError
	switch {
	case errors.As(err, &tooBig):
		return c.tooBig(text)
	case err != nil:
		return c.returned(ClassResult, err)
	}
	switch err := c.tool.checkOutput(c.ctx, text); {
	case err != nil && errors.Is(err, context.Cause(c.ctx)):
		return c.outcome(nil, err)
	case err != nil:
		return c.returned(ClassOutputSchema, err)
	}
	if summary == "" {
		summary = summarise(value, text)
	}
	return Outcome{Structured: text, Summary: summary}
}

// returned is a fault of a class in what the script returned, unless it is a
// panic. The script has ended by then, so that only its beginning can be told.
func (c *call) returned(class string, err error) Outcome {
	var p *builtins.PanicError
	if errors.As(err, &p) {
		class = ClassPanic
	}
	return c.faultAt([]starlark.CallFrame{{Name: c.tool.call.Name(), Pos: c.tool.call.Position()}}, class, err)
}

func (c *call) encode(value starlark.Value, limit int) (text []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = builtins.Recovered(r)
		}
	}()
	return builtins.AppendJSON(nil, value, builtins.Encoding{Name: "result", MaxBytes: limit})
}

// tooBig is what an agent gets of structured data over the limit: why, and the
// beginning, which tells what there is to be had.
func (c *call) tooBig(text []byte) Outcome {
	shown := cutAt(string(text), excerptSize)
	note := fmt.Sprintf("The result is bigger than the limit of %s, so it is not sent as structured data. "+
		"Ask for less at once. It begins (%s shown):", formatBytes(int64(c.tool.Limits.Output)), formatBytes(int64(len(shown))))
	out := errorOutcome(ClassOutput, note)
	excerpt := builtins.TextBlock(shown)
	out.Content = append(out.Content, Block{Type: excerpt.Type, JSON: excerpt.JSON})
	return out
}

// content passes blocks on, as long as all of them together keep to the limit.
// Text is cut where it reaches that; an image cannot be.
func (c *call) content(blocks []builtins.Block) Outcome {
	out := Outcome{Content: make([]Block, 0, len(blocks))}
	left := c.tool.Limits.Output
	for _, b := range blocks {
		size := len(b.JSON)
		if b.Type == "text" {
			size = min(len(b.Text), left)
			b = builtins.TextBlock(cutNote(b.Text, left))
		}
		if size > left {
			return c.refusal(ClassOutput, c.tool.Limits.outputMessage(), nil)
		}
		left -= size
		out.Content = append(out.Content, Block{Type: b.Type, JSON: b.JSON})
	}
	return out
}

// cutNote cuts text at a character's boundary and says how much there was.
func cutNote(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	shown := cutAt(text, limit)
	return fmt.Sprintf("%s\n[cut: these are the first %d of %d bytes; ask for less at once]", shown, len(shown), len(text))
}

// cutAt returns as much of text as limit bytes hold, without a broken character
// at its end.
func cutAt(text string, limit int) string {
	text = text[:min(limit, len(text))]
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

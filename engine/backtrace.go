package engine

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A goPanic is a panic in Go code that a script reached: a fault of starmcp's
// own, or of a library's.
type goPanic struct {
	value any
	stack []byte
}

func (p *goPanic) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// panicError keeps what recover returned and where it came from.
func panicError(recovered any) error {
	return &goPanic{value: recovered, stack: debug.Stack()}
}

// scriptFrames returns the frames that have a position in a script, the
// innermost first.
func scriptFrames(stack starlark.CallStack) []starlark.CallFrame {
	var frames []starlark.CallFrame
	for _, frame := range slices.Backward(stack) {
		if frame.Pos.Line > 0 {
			frames = append(frames, frame)
		}
	}
	return frames
}

// errorMessage is an error's text as its cause wrote it, without a backtrace.
func errorMessage(err error) string {
	var evalErr *starlark.EvalError
	if errors.As(err, &evalErr) {
		return evalErr.Msg
	}
	return err.Error()
}

// backtrace renders where an error happened, the innermost position first, with
// the line of the script that stands there.
func backtrace(err error, lineOf func(file string, line int) string) string {
	var b strings.Builder
	var evalErr *starlark.EvalError
	if errors.As(err, &evalErr) {
		for _, frame := range scriptFrames(evalErr.CallStack) {
			fmt.Fprintf(&b, "  at %s in %s\n", frame.Pos, frame.Name)
			if line := strings.TrimSpace(lineOf(frame.Pos.Filename(), int(frame.Pos.Line))); line != "" {
				fmt.Fprintf(&b, "      %s\n", line)
			}
		}
	}
	var p *goPanic
	if errors.As(err, &p) {
		b.Write(p.stack)
	}
	return b.String()
}

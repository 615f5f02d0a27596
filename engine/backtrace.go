package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
)

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

// framesOf returns the frames of a script that an error passed through, the
// innermost first; none, if it came up outside of a script.
func framesOf(err error) []starlark.CallFrame {
	var evalErr *starlark.EvalError
	if !errors.As(err, &evalErr) {
		return nil
	}
	return scriptFrames(evalErr.CallStack)
}

// backtrace renders where an error happened, each frame with the line of the
// script that stands there, and for a panic where in Go.
func backtrace(err error, frames []starlark.CallFrame, lineOf func(file string, line int) string) string {
	var b strings.Builder
	for _, frame := range frames {
		fmt.Fprintf(&b, "  at %s in %s\n", frame.Pos, frame.Name)
		if line := strings.TrimSpace(lineOf(frame.Pos.Filename(), int(frame.Pos.Line))); line != "" {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	var p *builtins.PanicError
	if errors.As(err, &p) {
		b.Write(p.Stack)
	}
	return b.String()
}

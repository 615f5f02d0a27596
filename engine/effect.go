package engine

import (
	"context"
	"fmt"
)

// An Effect is one request to the world, as plain data: what a builtin on ctx
// became when a script called it. Args holds nil, bool, int64, float64, string,
// []byte, time.Time, time.Duration, []any or map[string]any under the builtin's
// parameter names, defaults filled.
//
// Checking, stubbing, recording and carrying effects to another process are
// each a [Host], or a wrapper around one.
type Effect struct {
	Kind string // such as "fs.read"; builtins lists them
	Args map[string]any
}

// A Host performs effects. Each tool has its own, which knows what the tool
// needs and does no more. It answers with plain data of the types that
// [Effect] names, or with an [*EffectError]. It is used by many calls at once
// and stops when ctx ends.
type Host interface {
	Perform(ctx context.Context, effect Effect) (any, error)
}

// EffectKind says how an effect failed; scripts see it as error.kind.
type EffectKind string

const (
	Denied   EffectKind = "denied"    // beyond the tool's needs
	NotFound EffectKind = "not_found" // no such file, host or name
	Rejected EffectKind = "refused"   // the other side said no
	TimedOut EffectKind = "timeout"   // the effect's own time was up
	TooBig   EffectKind = "too_big"   // over a cap
	Failed   EffectKind = "failed"    // anything else
)

// An EffectError is a refused or failed effect. Its message is for the agent
// that called the tool: it names what was asked and what to do about it.
type EffectError struct {
	Kind    EffectKind
	Message string
}

func (e *EffectError) Error() string { return e.Message }

// FailedEffect returns the kind as a string. It is how ctx.attempt tells a
// failed effect from any other error.
func (e *EffectError) FailedEffect() string { return string(e.Kind) }

// Effectf returns an [*EffectError] with a formatted message.
func Effectf(kind EffectKind, format string, args ...any) *EffectError {
	return &EffectError{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Needs lists what a tool uses, or what an operator grants, by capability
// ("read", "stat"): patterns in that capability's grammar.
type Needs map[string][]string

// A Policy knows the capabilities there are, their patterns, and what the
// operator grants. It is a value: With returns another one.
type Policy interface {
	// With adds grants, and tells which of them are malformed. source says
	// where they came from, for reports: "server.star", "--allow-read".
	With(grants Needs, source string) (Policy, []NeedError)

	// Review tells which of a tool's needs are malformed or not granted.
	Review(needs Needs) []NeedError

	// Coverage tells for each need which grant allows it, in a stable order.
	Coverage(needs Needs) []Coverage

	// Host returns the effects of a tool with these needs, reviewed before.
	Host(tool string, needs Needs) Host
}

// A NeedError is one entry of needs or grants that cannot stand.
type NeedError struct {
	Capability string
	Index      int  // of the pattern in the capability's list; -1: the capability itself
	Ungranted  bool // well formed, but beyond what is granted
	Message    string
	Hint       string
}

// Coverage says which grant allows one need.
type Coverage struct {
	Capability string
	Pattern    string // the need
	Grant      string // the pattern that covers it; empty: none does
	Source     string // where that grant was made
}

package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/spell"
)

// Limits bound one call.
type Limits struct {
	Timeout time.Duration // from its start to its mapped result
	Steps   uint64        // of the interpreter
	Memory  int64         // bytes of live script memory; enforced where scripts run in processes of their own
	Output  int           // bytes of text, or of encoded structured data
	Print   int           // bytes of print and ctx.log
}

// DefaultLimits are in force where nothing else is said.
var DefaultLimits = Limits{
	Timeout: 10 * time.Second,
	Steps:   200_000_000,
	Memory:  64 << 20,
	Output:  1 << 20,
	Print:   64 << 10,
}

// A limitKey is one entry of a tool's limits: how it is read, and which limit
// of the server it may lower.
type limitKey struct {
	name  string
	lower func(l *Limits, v starlark.Value) error
}

var limitKeys = []limitKey{
	{"timeout", func(l *Limits, v starlark.Value) error {
		d, err := duration(v)
		return lower(&l.Timeout, d, err, func(d time.Duration) string { return d.String() })
	}},
	{"steps", func(l *Limits, v starlark.Value) error {
		var n uint64
		err := fmt.Errorf("got %s, want a number of steps", brief(v))
		if i, ok := v.(starlark.Int); ok {
			if u, ok := i.Uint64(); ok {
				n, err = u, nil
			}
		}
		return lower(&l.Steps, n, err, func(n uint64) string { return fmt.Sprint(n) })
	}},
	{"memory", func(l *Limits, v starlark.Value) error {
		n, err := byteSize(v)
		return lower(&l.Memory, n, err, formatBytes)
	}},
	{"output", func(l *Limits, v starlark.Value) error {
		n, err := byteSize(v)
		return lower(&l.Output, int(n), err, func(n int) string { return formatBytes(int64(n)) })
	}},
}

// lower sets *limit to v, which must be over zero and not over *limit.
func lower[T time.Duration | uint64 | int64 | int](limit *T, v T, err error, format func(T) string) error {
	switch {
	case err != nil:
		return err
	case v <= 0:
		return fmt.Errorf("got %s, want more than nothing", format(v))
	case v > *limit:
		return fmt.Errorf("%s is above the server's limit of %s, and a tool may only lower it", format(v), format(*limit))
	}
	*limit = v
	return nil
}

// lowered returns the limits that a tool's file leaves of the server's.
func (f *file) lowered(limits Limits) Limits {
	d := f.dict("limits")
	if d == nil {
		return limits
	}
	for _, item := range d.Items() {
		name := string(item[0].(starlark.String))
		i := slices.IndexFunc(limitKeys, func(k limitKey) bool { return k.name == name })
		if i < 0 {
			f.addAt("limits", "/"+name, unknownHint(name, limitNames()), "limits has no %q", name)
			continue
		}
		if err := limitKeys[i].lower(&limits, item[1]); err != nil {
			f.addAt("limits", "/"+name, "", "%s: %s", name, err)
		}
	}
	return limits
}

func limitNames() []string {
	names := make([]string, len(limitKeys))
	for i, k := range limitKeys {
		names[i] = k.name
	}
	return names
}

// unknownHint suggests the nearest of the known names, or tells them all.
func unknownHint(name string, known []string) string {
	if near := spell.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "known are " + strings.Join(known, ", ")
}

// formatBytes writes a size with the largest unit that divides it.
func formatBytes(n int64) string { return builtins.FormatBytes(n) }

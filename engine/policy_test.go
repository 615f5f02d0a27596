package engine

import (
	"context"
	"slices"
	"sync"
	"time"
)

// testPolicy grants everything but what contains "secret", and its hosts answer
// from a map.
type testPolicy struct {
	answers map[string]any // by the effect's kind
	logged  *log
}

// log collects what scripts log.
type log struct {
	mu    sync.Mutex
	lines []map[string]any
}

func (l *log) all() []map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

func (p testPolicy) With(grants Needs, _ string) (Policy, []NeedError) {
	return p, p.review(grants, "granted")
}

func (p testPolicy) Review(needs Needs) []NeedError { return p.review(needs, "needed") }

func (testPolicy) review(needs Needs, how string) []NeedError {
	var errs []NeedError
	for _, capability := range []string{"read", "stat", "run", "net", "sql", "run_write", "net_write"} {
		for i, pattern := range needs[capability] {
			if pattern == "/secret" {
				errs = append(errs, NeedError{Capability: capability, Index: i, Ungranted: true, Message: "/secret cannot be " + how, Hint: "ask for less"})
			}
		}
	}
	return errs
}

func (testPolicy) Coverage(needs Needs) []Coverage {
	var out []Coverage
	for _, pattern := range needs["read"] {
		out = append(out, Coverage{Capability: "read", Pattern: pattern, Grant: "/", Source: "test"})
	}
	return out
}

func (p testPolicy) Host(string, Needs) Host { return p }

func (p testPolicy) Perform(ctx context.Context, e Effect) (any, error) {
	switch e.Kind {
	case "log":
		p.logged.mu.Lock()
		defer p.logged.mu.Unlock()
		p.logged.lines = append(p.logged.lines, e.Args)
		return nil, nil
	case "sleep":
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(e.Args["duration"].(time.Duration)):
			return nil, nil
		}
	case "now":
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), nil
	}
	switch answer := p.answers[e.Kind].(type) {
	case nil:
		return nil, Effectf(NotFound, "%s: no such thing", e.Kind)
	case error:
		return nil, answer
	case func(Effect) (any, error):
		return answer(e)
	default:
		return answer, nil
	}
}

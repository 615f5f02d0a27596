// Package host performs effects on this machine, as far as a tool needs and
// the operator grants. It is the only place that touches the machine.
package host

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/starmcp/starmcp/builtins/spell"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

// Options say how effects are performed.
type Options struct {
	Logger *slog.Logger // where ctx.log writes; nil: nowhere
}

// A Policy is what an operator grants. It never changes: With makes another
// one. It is safe for any number of goroutines.
type Policy struct {
	machine *machine
	grants  []grant
}

// A machine is what all hosts of a policy, and of those made from it, share.
type machine struct {
	log  *slog.Logger
	disk files.Disk
}

// A grant is one pattern that an operator allows.
type grant struct {
	capability string
	text       string // as it was written
	source     string // where
	pattern    pattern
}

var _ engine.Policy = (*Policy)(nil)

// New returns a policy that grants nothing.
func New(opts Options) *Policy {
	log := cmp.Or(opts.Logger, slog.New(slog.DiscardHandler))
	return &Policy{machine: &machine{log: log}}
}

// With returns a policy that grants more, and tells which of the new grants
// are malformed. These are left out.
func (p *Policy) With(grants engine.Needs, source string) (engine.Policy, []engine.NeedError) {
	read, errs := parse(grants)
	more := &Policy{machine: p.machine, grants: slices.Clone(p.grants)}
	for _, e := range read {
		more.grants = append(more.grants, grant{e.capability.Name, e.text, source, e.pattern})
	}
	return more, errs
}

// Review tells which of a tool's needs are malformed, and which go beyond the
// grants.
func (p *Policy) Review(needs engine.Needs) []engine.NeedError {
	read, errs := parse(needs)
	for _, e := range read {
		if _, ok := p.covering(e); !ok {
			errs = append(errs, e.ungranted())
		}
	}
	slices.SortStableFunc(errs, func(a, b engine.NeedError) int {
		return cmp.Or(strings.Compare(a.Capability, b.Capability), cmp.Compare(a.Index, b.Index))
	})
	return errs
}

// Coverage tells which grant allows each need, the first one where several do.
// It is sorted by capability, and within one as the needs are. Malformed needs
// are left out.
func (p *Policy) Coverage(needs engine.Needs) []engine.Coverage {
	var all []engine.Coverage
	read, _ := parse(needs)
	for _, e := range read {
		by, _ := p.covering(e)
		all = append(all, engine.Coverage{Capability: e.capability.Name, Pattern: e.text, Grant: by.text, Source: by.source})
	}
	return all
}

// covering returns the grant that allows a need.
func (p *Policy) covering(need entry) (grant, bool) {
	for _, g := range p.grants {
		offers := g.capability == need.capability.Name || slices.Contains(need.capability.also, g.capability)
		if offers && g.pattern.covers(need.pattern) {
			return g, true
		}
	}
	return grant{}, false
}

// An entry is one well-formed pattern in needs or grants.
type entry struct {
	capability *Capability
	index      int
	text       string
	pattern    pattern
}

// parse reads needs or grants, sorted by capability.
func parse(needs engine.Needs) (read []entry, errs []engine.NeedError) {
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		c := find(name)
		if c == nil {
			errs = append(errs, unknown(name))
			continue
		}
		for i, text := range needs[name] {
			pattern, err := c.parse(text)
			if err != nil {
				errs = append(errs, malformed(name, i, text, err))
				continue
			}
			read = append(read, entry{c, i, text, pattern})
		}
	}
	return read, errs
}

func unknown(name string) engine.NeedError {
	var known []string
	for _, c := range capabilities {
		known = append(known, c.Name)
	}
	hint := "there are: " + strings.Join(known, ", ")
	if near := spell.Nearest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return engine.NeedError{Capability: name, Index: -1, Message: fmt.Sprintf("unknown capability %q", name), Hint: hint}
}

func malformed(capability string, index int, text string, err error) engine.NeedError {
	e := engine.NeedError{Capability: capability, Index: index, Message: fmt.Sprintf("%s pattern %q: %v", capability, text, err)}
	if bad := (*files.SyntaxError)(nil); errors.As(err, &bad) {
		e.Message = fmt.Sprintf("%s pattern %q %s", capability, text, bad.Message)
		e.Hint = bad.Hint
	}
	return e
}

func (e entry) ungranted() engine.NeedError {
	name := e.capability.Name
	hint := fmt.Sprintf("allow it in server.star with grants = {%q: [%q]}", name, e.text)
	if !strings.Contains(e.text, ",") { // where flags are split
		hint += ", or on the command line with " + shellWord("--"+e.capability.Flag+"="+e.text)
	}
	return engine.NeedError{
		Capability: name,
		Index:      e.index,
		Ungranted:  true,
		Message:    fmt.Sprintf("needs %s of %s, which is not granted", name, strconv.Quote(e.text)),
		Hint:       hint,
	}
}

// shellWord quotes a word for a shell where that would take it apart.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=./:@%+", r)
	}
	if !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

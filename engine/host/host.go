package host

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

// A toolHost performs the effects of one tool.
type toolHost struct {
	tool    string
	machine *machine
	view    *files.View
}

// Host returns the effects of a tool, as far as its needs go. Malformed needs
// allow nothing.
func (p *Policy) Host(tool string, needs engine.Needs) engine.Host {
	patterns := map[string][]files.Pattern{}
	read, _ := parse(needs)
	for _, e := range read {
		if path, ok := e.pattern.(paths); ok {
			patterns[e.capability.Name] = append(patterns[e.capability.Name], path.Pattern)
		}
	}
	return &toolHost{
		tool:    tool,
		machine: p.machine,
		view:    p.machine.disk.View(patterns["read"], patterns["stat"]),
	}
}

// effects has what performs each kind of effect.
var effects = map[string]func(h *toolHost, ctx context.Context, args arguments) (any, error){
	"now":      (*toolHost).now,
	"sleep":    (*toolHost).sleep,
	"log":      (*toolHost).log,
	"fs.read":  (*toolHost).readFile,
	"fs.list":  (*toolHost).listFolder,
	"fs.glob":  (*toolHost).findPaths,
	"fs.stat":  (*toolHost).statFile,
	"fs.usage": (*toolHost).usage,
}

// Perform performs one effect. See [engine.Host].
func (h *toolHost) Perform(ctx context.Context, effect engine.Effect) (any, error) {
	perform, ok := effects[effect.Kind]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(effects)), ", ")
		return nil, engine.Effectf(engine.Failed, "nothing here performs %q; there are: %s", effect.Kind, known)
	}
	return perform(h, ctx, effect.Args)
}

// arguments are those of an effect. One that is missing, nil or of another type
// reads as the zero value: builtins have checked them.
type arguments map[string]any

func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a arguments) number(name string) int64 {
	n, _ := a[name].(int64)
	return n
}

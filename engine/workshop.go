package engine

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
)

// A workshop has what tools are made with: the modules that scripts see, and
// what tools share of their ctx. It is safe for any number of goroutines.
type workshop struct {
	modules     []*builtins.Module
	predeclared starlark.StringDict
	scale       *scale // of the process's memory; nil: nobody looks at it

	mu       sync.Mutex
	contexts map[string]*builtins.Object // by the capabilities that are on them
}

func newWorkshop(opts Options) *workshop {
	w := &workshop{
		modules:  slices.Concat(builtins.Pure(), builtins.Context(), opts.Modules),
		scale:    newScale(opts),
		contexts: make(map[string]*builtins.Object),
	}
	w.predeclared = builtins.Universe()
	maps.Copy(w.predeclared, builtins.Predeclared(w.modules))
	w.predeclared["fail"] = failBuiltin
	w.predeclared.Freeze()
	return w
}

// finish gives a tool what its calls need beside its own file.
func (w *workshop) finish(t *Tool, from *program) {
	t.context = t.newContext(w.context(t.Needs))
	t.sourceLine = from.line
	t.scale = w.scale
}

// context returns what tools with the same capabilities share of their ctx.
func (w *workshop) context(needs Needs) *builtins.Object {
	has := func(capability string) bool { return len(needs[capability]) > 0 }
	var present []string
	for _, capability := range slices.Sorted(maps.Keys(needs)) {
		if has(capability) {
			present = append(present, capability)
		}
	}
	key := strings.Join(present, " ")
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.contexts[key] == nil {
		w.contexts[key] = builtins.NewContext(w.modules, has, perform)
	}
	return w.contexts[key]
}

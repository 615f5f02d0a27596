package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

// The test binary is also the worker.
func TestMain(m *testing.M) {
	sandbox.RunWorker(sandbox.Config{
		Modules: []*builtins.Module{evil},
		Policy: func(grants []sandbox.Grant) engine.Policy {
			var policy engine.Policy = new(world)
			for _, g := range grants {
				policy, _ = policy.With(g.Needs, g.Source)
			}
			return policy
		},
	})
	os.Exit(m.Run())
}

// evil is what no script can do by itself, and a broken interpreter could.
var evil = &builtins.Module{
	Name: "evil",
	Funcs: []*builtins.Func{
		evilFunc("spin", func(string) {
			for !never.Load() {
			}
		}),
		evilFunc("exit", func(string) { os.Exit(0) }),
		evilFunc("hog", func(string) {
			for !never.Load() {
				block := make([]byte, 16<<20)
				for i := 0; i < len(block); i += 4096 {
					block[i] = 1
				}
				kept = append(kept, block)
			}
		}),
		evilFunc("dive", func(string) { never.Store(dive(1) == 0) }),
		evilFunc("crash", func(string) { go func() { panic("a fault that nobody expects") }(); select {} }),
		evilFunc("say", func(text string) { os.NewFile(1, "parent").WriteString(text); time.Sleep(time.Hour) }),
		evilFunc("panic", func(string) { panic("a builtin panics") }),
	},
}

var (
	never atomic.Bool
	kept  [][]byte
)

func dive(n int) int {
	if never.Load() {
		return n
	}
	return dive(n+1) + 1
}

func evilFunc(name string, do func(text string)) *builtins.Func {
	return &builtins.Func{
		Name:   name,
		Params: []builtins.Param{{Name: "text", Type: builtins.Any, Default: starlark.String("")}},
		Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
			text, isText := starlark.AsString(args[0])
			if raw, ok := args[0].(starlark.Bytes); ok && !isText {
				text = string(raw)
			}
			do(text)
			return starlark.None, nil
		},
	}
}

// A world is a policy and a host for tests. What scripts may need is "read";
// what is read is the path itself.
type world struct {
	granted []string

	mu    sync.Mutex
	lines []string // what was logged and read
	hook  func()   // is told of each log entry
}

func (w *world) With(grants engine.Needs, _ string) (engine.Policy, []engine.NeedError) {
	return &world{granted: slices.Concat(w.granted, grants["read"])}, nil
}

func (w *world) Review(needs engine.Needs) (errs []engine.NeedError) {
	for i, path := range needs["read"] {
		if !slices.Contains(w.granted, path) {
			errs = append(errs, engine.NeedError{Capability: "read", Index: i, Ungranted: true, Message: path + " is not granted"})
		}
	}
	return errs
}

func (w *world) Coverage(needs engine.Needs) (all []engine.Coverage) {
	for _, path := range needs["read"] {
		c := engine.Coverage{Capability: "read", Pattern: path}
		if slices.Contains(w.granted, path) {
			c.Grant, c.Source = path, "test"
		}
		all = append(all, c)
	}
	return all
}

func (w *world) Host(tool string, _ engine.Needs) engine.Host { return &worldHost{w, tool} }

type worldHost struct {
	*world
	tool string
}

func (h *worldHost) Perform(ctx context.Context, e engine.Effect) (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	path, _ := e.Args["path"].(string)
	switch e.Kind {
	case "log":
		h.lines = append(h.lines, fmt.Sprintf("%s: %v %v", h.tool, e.Args["message"], e.Args["fields"]))
		if h.hook != nil {
			h.hook()
		}
		return nil, nil
	case "now":
		return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), nil
	case "sleep":
		h.mu.Unlock()
		defer h.mu.Lock()
		select {
		case <-time.After(e.Args["duration"].(time.Duration)):
			return nil, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	case "fs.read":
		h.lines = append(h.lines, path)
		if path == "/big" {
			return make([]byte, 17<<20), nil
		}
		return []byte(path), nil
	case "fs.stat":
		return nil, engine.Effectf(engine.NotFound, "there is no %s", path)
	case "fs.usage":
		return nil, errors.New("a host that breaks its word")
	}
	panic("a host that panics")
}

// take returns what was logged and read since the last time.
func (w *world) take() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := strings.Join(w.lines, "\n")
	w.lines = nil
	return text
}

func (w *world) onLog(hook func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hook = hook
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// load loads files in a worker; they must be without problems.
func load(t testing.TB, files map[string]string) *engine.Image {
	t.Helper()
	report, err := sandbox.Load(t.Context(), mapFS(files), sandbox.LoadOptions{AssumeGranted: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) > 0 {
		t.Fatal(report.Problems)
	}
	return report.Image
}

// start makes a pool of an image, for as long as the test lasts.
func start(t testing.TB, image *engine.Image, w *world, opts sandbox.Options) *sandbox.Pool {
	t.Helper()
	if w != nil {
		opts.Policy = w
	}
	opts.Modules = []*builtins.Module{evil}
	pool, err := sandbox.NewPool(image, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func tool(text string) string { return "\"\"\"A tool.\"\"\"\n" + text }

func do(t testing.TB, s engine.Service, name, arguments string) engine.Outcome {
	return s.Do(t.Context(), engine.Request{Kind: engine.Call, Tool: name, Arguments: json.RawMessage(arguments), Client: engine.Client{Name: "test", Version: "1"}})
}

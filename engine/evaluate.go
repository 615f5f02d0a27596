package engine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/starmcp/starmcp/builtins"
)

const (
	loadTimeout = 2 * time.Second // for each file
	loadInAll   = time.Minute     // for all files of a directory
	loadSteps   = 100_000_000     // of the interpreter, for each file
)

// A program is the files of a directory, compiled and evaluated together.
type program struct {
	sources     *sources // to read from; nil where all files are there already
	predeclared starlark.StringDict
	print       func(file string, line int, text string)
	watch       Watch

	// deadline is when evaluating must be over; zero where files are evaluated
	// one by one, as they are needed.
	deadline time.Time

	files map[string]*file
	once  map[string]*sync.Once
}

func newProgram(predeclared starlark.StringDict, print func(string, int, string)) *program {
	return &program{predeclared: predeclared, print: print, files: make(map[string]*file), once: make(map[string]*sync.Once)}
}

func (p *program) add(f *file) { p.files[f.path], p.once[f.path] = f, new(sync.Once) }

// compileAll reads and compiles files, and then whatever they load.
func (p *program) compileAll(paths []string) {
	for len(paths) > 0 {
		compiled := make([]*file, len(paths))
		p.watch.each(len(paths), func(i int) { compiled[i] = p.compileFile(paths[i]) })
		for _, f := range compiled {
			p.add(f)
		}
		paths = p.findMissing(compiled)
	}
}

// findMissing returns the files that these load and that are not compiled yet.
// What does not exist is a problem of the load statement that names it.
func (p *program) findMissing(compiled []*file) []string {
	var missing []string
	for _, f := range compiled {
		f.loads = slices.DeleteFunc(f.loads, func(l load) bool {
			if p.files[l.path] != nil || slices.Contains(missing, l.path) {
				return false
			}
			if why := p.sources.fetch(l.path).Error; why != "" {
				f.addf(l.stmt.Module.TokenPos, "", "cannot load %q: %s", l.path, why)
				return true
			}
			missing = append(missing, l.path)
			return false
		})
	}
	return missing
}

func (p *program) compileFile(path string) *file {
	source := p.sources.get(path)
	f := &file{path: path, text: source.Text}
	switch {
	case source.Error != "":
		f.addf(syntax.Position{}, "", "%s", source.Error)
	case p.watch.Without[path] != "":
		f.addf(syntax.Position{}, "", "%s", p.watch.Without[path])
	case p.sources.has(path) && roleOf(path) == roleTool && len(bytes.TrimSpace(source.Text)) == 0:
		f.addf(syntax.Position{}, "write a doc string and def call(ctx), or remove the file", "the file is empty")
	default:
		p.watch.work(f, func() { f.compile(p.predeclared) })
	}
	return f
}

// keep forgets the files that are none of these and that none of these load.
func (p *program) keep(paths []string) {
	needed := make(map[string]bool)
	var need func(path string)
	need = func(path string) {
		f := p.files[path]
		if f == nil || needed[path] {
			return
		}
		needed[path] = true
		for _, l := range f.loads {
			need(l.path)
		}
	}
	for _, path := range paths {
		need(path)
	}
	maps.DeleteFunc(p.files, func(path string, _ *file) bool { return !needed[path] })
}

// evaluateAll runs the top level of files, dependencies first. Cycles must have
// been reported, and so cut, before.
func (p *program) evaluateAll(paths []string) {
	p.watch.each(len(paths), func(i int) { p.evaluate(p.files[paths[i]]) })
}

// evaluate runs the top level of one file, once. Callers that come meanwhile
// wait for it; since cycles were cut before, they never wait for each other.
func (p *program) evaluate(f *file) {
	p.once[f.path].Do(func() {
		for _, l := range f.loads {
			p.evaluate(p.files[l.path])
		}
		f.bindLoads(func(path string) starlark.StringDict { return p.files[path].globals })
		if len(f.problems) > 0 || slices.ContainsFunc(f.loads, func(l load) bool { return p.files[l.path].globals == nil }) {
			return
		}
		p.watch.work(f, func() { p.run(f) })
	})
}

// run evaluates a file whose loads are all there, on a thread of its own.
func (p *program) run(f *file) {
	thread := &starlark.Thread{
		Name: f.path,
		Load: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			return p.files[f.loadPath(module)].globals, nil
		},
		Print: func(thread *starlark.Thread, text string) {
			if p.print != nil {
				p.print(f.path, int(thread.CallFrame(1).Pos.Line), text)
			}
		},
	}
	thread.SetMaxExecutionSteps(loadSteps)
	thread.OnMaxSteps = func(thread *starlark.Thread) {
		thread.Cancel(fmt.Sprintf("evaluating the file took more than %d steps", loadSteps))
	}
	limit, reason := p.timeLeft()
	timer := time.AfterFunc(limit, func() { thread.Cancel(reason) })
	defer timer.Stop()

	globals, err := f.initialise(thread, p.predeclared)
	if err != nil {
		f.addEvalError(err, p.files)
		return
	}
	globals.Freeze()
	f.globals = globals
}

// initialise is Program.Init, with a panic in a builtin turned into an error.
func (f *file) initialise(thread *starlark.Thread, predeclared starlark.StringDict) (globals starlark.StringDict, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = builtins.Recovered(r)
		}
	}()
	if f.program == nil {
		if f.program, err = starlark.CompiledProgram(bytes.NewReader(f.encoded)); err != nil {
			return nil, err
		}
	}
	return f.program.Init(thread, predeclared)
}

// timeLeft returns how long a file may be evaluated, and what it means when that
// is over.
func (p *program) timeLeft() (limit time.Duration, reason string) {
	if left := time.Until(p.deadline); !p.deadline.IsZero() && left < loadTimeout {
		return max(left, 0), fmt.Sprintf("evaluating all files took longer than %v", loadInAll)
	}
	return loadTimeout, fmt.Sprintf("evaluating the file took longer than %v", loadTimeout)
}

func (f *file) loadPath(module string) string {
	for _, l := range f.loads {
		if l.name == module {
			return l.path
		}
	}
	return module
}

// addEvalError adds a fault at the top level as a problem at its innermost
// position, which may lie in a file that this one loads.
func (f *file) addEvalError(err error, files map[string]*file) {
	message, hint := splitHint(errorMessage(err))
	message = strings.TrimPrefix(message, "Starlark computation cancelled: ")
	var evalErr *starlark.EvalError
	if !errors.As(err, &evalErr) {
		f.addf(syntax.Position{}, hint, "%s", message)
		return
	}
	frames := scriptFrames(evalErr.CallStack)
	if len(frames) == 0 {
		f.addf(syntax.Position{}, hint, "%s", message)
		return
	}
	problem := f.addf(frames[0].Pos, hint, "%s", message)
	if at := files[frames[0].Pos.Filename()]; at != nil && at != f {
		problem.File, problem.Source = at.path, at.line(int(frames[0].Pos.Line))
	}
	for _, frame := range frames[1:] {
		problem.Related = append(problem.Related, Related{
			File: frame.Pos.Filename(), Line: int(frame.Pos.Line), Col: int(frame.Pos.Col), Message: "called from here",
		})
	}
}

// reportCycles finds load statements that lead back to their own file. Each
// cycle is told once, as a chain, and cut.
func (p *program) reportCycles() {
	const (
		unseen = iota
		open
		done
	)
	state := make(map[string]int)
	var chain []string
	var visit func(f *file)
	visit = func(f *file) {
		state[f.path] = open
		chain = append(chain, f.path)
		f.loads = slices.DeleteFunc(f.loads, func(l load) bool {
			switch state[l.path] {
			case unseen:
				visit(p.files[l.path])
			case open:
				cycle := append(slices.Clone(chain[slices.Index(chain, l.path):]), l.path)
				f.addf(l.stmt.Module.TokenPos, "move what both need into a third file", "load cycle: %s", strings.Join(cycle, " -> "))
				return true
			}
			return false
		})
		chain = chain[:len(chain)-1]
		state[f.path] = done
	}
	for _, path := range p.sortedPaths() {
		if state[path] == unseen {
			visit(p.files[path])
		}
	}
}

func (p *program) sortedPaths() []string {
	paths := make([]string, 0, len(p.files))
	for path := range p.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// parallel calls do(0) to do(n-1), on as many goroutines as there are cores.
func parallel(n int, do func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	next := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

const (
	fileTime = 2 * time.Second  // for each file
	loadTime = 60 * time.Second // for a whole directory
	// loadMemory is what a loader may take, in bytes, for what scripts do.
	loadMemory = 256 << 20
	// loadFactor is how many times as much memory as its text a file takes while
	// it is loaded, with its syntax tree and what becomes of it.
	loadFactor = 100
)

// errLoadTime is the cause of a load's context when its time is up.
var errLoadTime = errors.New("the load's time is up")

// LoadOptions say how a directory is loaded. The zero value grants nothing.
type LoadOptions struct {
	Grants        []Grant                                  // what the worker's policy is made from; see [Config]
	AssumeGranted bool                                     // well-formed needs are taken as granted
	Only          []string                                 // patterns of tool names to load; nil: as server.star says, else all
	Print         func(file string, line int, text string) // what scripts print while they load; nil: dropped
	Unfiltered    bool                                     // the worker has no filter of system calls
}

// A Report is what loading a directory came to. Image is nil as soon as there
// is a problem: a directory is served whole or not at all.
type Report struct {
	Image    *engine.Image
	Problems engine.Problems // sorted by position
	Warnings engine.Problems // sorted by position
	Files    int             // Starlark files read
	Skipped  []string        // files passed over, and why, one line each
}

// Load has a worker of its own load the directory: this process only reads the
// files. A file that does not end within 2 s, or ends the worker, is a problem
// like others, and the load goes on without it; one that takes 60 s in all is
// broken off. An error means that no worker could load anything, or that ctx
// ended.
func Load(ctx context.Context, fsys fs.FS, opts LoadOptions) (*Report, error) {
	ctx, stop := context.WithTimeoutCause(ctx, loadTime, errLoadTime)
	defer stop()
	l := &loader{opts: opts, fsys: fsys, snapshot: engine.TakeSnapshot(fsys), without: make(map[string]string)}
	for {
		report, err := l.attempt(ctx)
		if err == nil {
			return report, nil
		}
		broken, ok := err.(*brokenLoad)
		switch {
		case !ok:
			return nil, err
		case broken.final:
			return l.report(broken), nil
		case broken.file != "":
			l.without[broken.file] = broken.why
		case !l.sequential:
			l.sequential = true // to see which file it is
		default:
			return l.report(broken), nil
		}
	}
}

// A loader is one run of Load.
type loader struct {
	opts       LoadOptions
	fsys       fs.FS
	snapshot   *engine.Snapshot
	sequential bool
	without    map[string]string // files that cannot be loaded, and why
}

// A brokenLoad is an attempt that did not come to its end.
type brokenLoad struct {
	file  string // which alone was in work; empty: none, or several were
	why   string
	final bool // there is no use in another attempt
}

func (b *brokenLoad) Error() string { return b.why }

// report is what there is to say when no attempt came to its end.
func (l *loader) report(b *brokenLoad) *Report {
	r := &Report{Skipped: l.snapshot.Skipped, Files: len(l.snapshot.Files)}
	for _, file := range slices.Sorted(maps.Keys(l.without)) {
		r.Problems = append(r.Problems, engine.Problem{File: file, Message: l.without[file]})
	}
	r.Problems = append(r.Problems, engine.Problem{File: cmp.Or(b.file, "."), Message: b.why})
	return r
}

// memory is what a loader may take.
func (l *loader) memory() int64 {
	n := int64(loadMemory)
	for _, f := range l.snapshot.Files {
		n += int64(len(f.Text)) * loadFactor
	}
	return n
}

// attempt loads the snapshot in a worker, without the files that were found to
// be impossible.
func (l *loader) attempt(ctx context.Context) (*Report, error) {
	p, err := confine.Start(workerArguments(confine.Bounds{Memory: l.memory(), Stack: stackBound, Unfiltered: l.opts.Unfiltered})...)
	if err != nil {
		return nil, fmt.Errorf("cannot start a worker: %w", err)
	}
	defer p.Wait()
	defer p.Kill()
	defer context.AfterFunc(ctx, p.Kill)()
	r := newReading(l, p)
	report, err := r.run(ctx)
	if err != nil {
		return nil, r.broken(ctx, err)
	}
	return report, nil
}

package engine

// A Watch lets a loader be observed from a place that outlives it, and tried
// again without the files that ended it.
type Watch struct {
	// Working is told before each piece of work on a file, and what it returns
	// is called after it. Called by many goroutines. Nil: nobody is told.
	Working func(file string) (done func())
	// Sequential works on one file after the other, so that whoever is told
	// knows which one it is that does not end.
	Sequential bool
	// Without has files that are not looked into: each is the problem given
	// here instead, by its path.
	Without map[string]string
}

// work does a part of loading a file.
func (w *Watch) work(f *file, do func()) {
	if w.Working != nil {
		defer w.Working(f.path)()
	}
	f.guard(do)
}

// each calls do(0) to do(n-1), several at once unless that is unwanted.
func (w *Watch) each(n int, do func(i int)) {
	if !w.Sequential {
		parallel(n, do)
		return
	}
	for i := range n {
		do(i)
	}
}

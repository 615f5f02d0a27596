package sandbox

import (
	"github.com/starmcp/starmcp/engine"
)

// load loads a snapshot and sends what came of it.
func (w *worker) load(m *loadMessage) error {
	s := &engine.Snapshot{Skipped: m.Skipped, Error: m.Error, Files: make([]engine.SourceFile, m.Sources), More: w.want}
	for i := range s.Files {
		if err := read(w.in, kindSource, &s.Files[i]); err != nil {
			return err
		}
	}
	opts := engine.Options{
		AssumeGranted: m.AssumeGranted,
		Only:          m.Only,
		Modules:       w.config.Modules,
		Print: func(file string, line int, text string) {
			w.out.send(kindPrint, printMessage{file, line, text}) // the parent is there, or this ends soon
		},
		Watch: engine.Watch{Working: w.announce, Sequential: m.Sequential, Without: m.Without},
	}
	if w.config.Policy != nil {
		opts.Policy = w.config.Policy(m.Grants)
	}
	return w.report(s.Load(opts))
}

// want asks for a file that the snapshot lacks.
func (w *worker) want(path string) engine.SourceFile {
	f := engine.SourceFile{Path: path}
	err := w.out.send(kindWant, fileMessage{path})
	if err == nil {
		err = read(w.in, kindSource, &f)
	}
	if err != nil {
		f.Error = err.Error()
	}
	return f
}

// announce tells which file is worked on. The end of that goes along with
// the next one.
func (w *worker) announce(file string) (done func()) {
	w.out.send(kindBegin, fileMessage{file})
	return func() { w.out.putOffBriefly(kindEnd, fileMessage{file}) }
}

func (w *worker) report(r *engine.Report) error {
	for _, p := range r.Problems {
		if err := w.out.putOff(kindProblem, problemMessage{Problem: p}); err != nil {
			return err
		}
	}
	for _, p := range r.Warnings {
		if err := w.out.putOff(kindProblem, problemMessage{Problem: p, Warning: true}); err != nil {
			return err
		}
	}
	done := reportMessage{Files: r.Files, Skipped: r.Skipped}
	if r.Table != nil {
		image, err := r.Table.Image()
		if err != nil {
			return err
		}
		done.Loaded, done.Image = true, newOpenMessage(image)
		if err := eachPart(image, w.out.putOff); err != nil {
			return err
		}
	}
	return w.out.send(kindReport, done)
}

func newOpenMessage(image *engine.Image) openMessage {
	return openMessage{Identity: image.Identity, Files: len(image.Files), Tools: len(image.Tools)}
}

// eachPart sends the files of an image, and then its tools.
func eachPart(image *engine.Image, send func(kind, any) error) error {
	for i := range image.Files {
		if err := send(kindFile, image.Files[i]); err != nil {
			return err
		}
	}
	for i := range image.Tools {
		if err := send(kindTool, image.Tools[i]); err != nil {
			return err
		}
	}
	return nil
}

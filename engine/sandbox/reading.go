package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// maxReport bounds all that one loader sends, in bytes.
const maxReport = 512 << 20

// A reading is what a loader has said so far.
type reading struct {
	*loader
	process *confine.Process
	out     *sender
	in      *receiver
	said    int                  // bytes
	begun   map[string]time.Time // files in work, and since when
	report  Report
	image   engine.Image
}

func newReading(l *loader, p *confine.Process) *reading {
	return &reading{loader: l, process: p, out: &sender{to: p.To}, in: newReceiver(p.From), begun: make(map[string]time.Time)}
}

// run sends the snapshot and reads the report.
func (r *reading) run(ctx context.Context) (*Report, error) {
	if err := r.ask(); err != nil && !isBroken(err) {
		return nil, err
	}
	for {
		r.process.From.SetReadDeadline(r.deadline(ctx))
		k, data, err := r.in.receive()
		if err != nil {
			return nil, err
		}
		if r.said += len(data); r.said > maxReport {
			return nil, fmt.Errorf("it sends more than %d bytes", maxReport)
		}
		if k == kindReport {
			return r.finish(data)
		}
		if err := r.hear(k, data); err != nil {
			return nil, err
		}
	}
}

// deadline is when the loader is to have said something: a file has its time,
// and a little more to tell of it by itself.
func (r *reading) deadline(ctx context.Context) time.Time {
	at, _ := ctx.Deadline()
	for _, begun := range r.begun {
		if due := begun.Add(fileTime + graceTime); due.Before(at) {
			at = due
		}
	}
	return at
}

func (r *reading) ask() error {
	s := r.snapshot
	r.process.To.SetWriteDeadline(time.Now().Add(openTime))
	err := r.out.putOff(kindLoad, loadMessage{
		Sources: len(s.Files), Skipped: s.Skipped, Error: s.Error,
		Grants: r.opts.Grants, AssumeGranted: r.opts.AssumeGranted, Only: r.opts.Only,
		Sequential: r.sequential, Without: r.without,
	})
	for i := 0; i < len(s.Files) && err == nil; i++ {
		err = r.out.putOff(kindSource, s.Files[i])
	}
	if err == nil {
		err = r.out.flush()
	}
	r.process.To.SetWriteDeadline(time.Time{})
	return err
}

// hear takes in what the loader says before its report.
func (r *reading) hear(k kind, data []byte) error {
	switch k {
	case kindBegin:
		return heard(data, func(m *fileMessage) error { r.begun[m.File] = time.Now(); return nil })
	case kindEnd:
		return heard(data, func(m *fileMessage) error { delete(r.begun, m.File); return nil })
	case kindWant:
		return heard(data, r.give)
	case kindPrint:
		return heard(data, r.print)
	case kindProblem:
		return heard(data, r.problem)
	case kindFile:
		return heard(data, func(m *engine.FileImage) error { r.image.Files = append(r.image.Files, *m); return nil })
	case kindTool:
		return heard(data, func(m *engine.ToolImage) error { r.image.Tools = append(r.image.Tools, *m); return nil })
	}
	return fmt.Errorf("it sends a frame of kind %d", k)
}

// heard decodes a message of a worker, and passes it on.
func heard[M any](data []byte, do func(*M) error) error {
	m := new(M)
	if err := decode(data, m, maxValues); err != nil {
		return fmt.Errorf("it sends a malformed %T: %w", m, err)
	}
	return do(m)
}

// give answers with a file that the snapshot lacks.
func (r *reading) give(m *fileMessage) error {
	if !fs.ValidPath(m.File) || !strings.HasSuffix(m.File, ".star") {
		return fmt.Errorf("it wants the file %q", m.File)
	}
	err := r.out.send(kindSource, engine.ReadSource(r.fsys, m.File))
	if isBroken(err) {
		return nil // it is dying, which is told elsewhere
	}
	return err
}

func (r *reading) print(m *printMessage) error {
	if r.opts.Print != nil {
		r.opts.Print(m.File, m.Line, m.Text)
	}
	return nil
}

func (r *reading) problem(m *problemMessage) error {
	if m.Warning {
		r.report.Warnings = append(r.report.Warnings, m.Problem)
	} else {
		r.report.Problems = append(r.report.Problems, m.Problem)
	}
	return nil
}

// finish makes the report whole.
func (r *reading) finish(data []byte) (*Report, error) {
	var m reportMessage
	if err := decode(data, &m, maxValues); err != nil {
		return nil, fmt.Errorf("it sends a malformed report: %w", err)
	}
	r.report.Files, r.report.Skipped = m.Files, m.Skipped
	if !m.Loaded && len(r.report.Problems) > 0 {
		return &r.report, nil
	}
	r.image.Identity = m.Image.Identity
	switch {
	case !m.Loaded || len(r.report.Problems) > 0:
		return nil, errors.New("it says both that there is a problem and that there is none")
	case m.Image.Files != len(r.image.Files) || m.Image.Tools != len(r.image.Tools):
		return nil, errors.New("parts of what it loaded are missing")
	}
	r.report.Image = &r.image
	return &r.report, checkImage(r.report.Image)
}

// broken tells why a load did not come to its end, and which file was in work.
func (r *reading) broken(ctx context.Context, err error) error {
	file := r.inWork()
	subject := "loading this directory"
	if file != "" {
		subject = "loading this file"
	}
	switch cause := context.Cause(ctx); {
	case cause == errLoadTime:
		return &brokenLoad{file: file, why: fmt.Sprintf("loading this directory did not end within %v", loadTime), final: true}
	case cause != nil:
		return cause
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &brokenLoad{file: file, why: fmt.Sprintf("%s did not end within %v", subject, fileTime)}
	case err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF):
		r.process.Kill()
		return &brokenLoad{file: file, why: fmt.Sprintf("%s broke the process that does it: %v", subject, err)}
	}
	return &brokenLoad{file: file, why: subject + " " + r.died()}
}

// inWork is the file that is worked on, unless there are several.
func (r *reading) inWork() string {
	if len(r.begun) == 1 {
		for file := range r.begun {
			return file
		}
	}
	return ""
}

// died says how the loader died, as the end of a sentence.
func (r *reading) died() string {
	defer time.AfterFunc(dyingTime, r.process.Kill).Stop()
	death := r.process.Wait()
	switch death.Cause {
	case confine.OutOfMemory:
		return fmt.Sprintf("used more than %d MiB of memory", r.memory()>>20)
	case confine.StackOverflow:
		return fmt.Sprintf("nested deeper than a stack of %d MiB holds", stackBound>>20)
	}
	return "ended the process that does it: " + death.String()
}

package confine

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// A Death tells how a worker ended.
type Death struct {
	Cause Cause
	State string        // as the system tells it: "exit status 2", "signal: killed"
	CPU   time.Duration // the processor time that it used in its life
	Note  string        // the first 16 KiB that it wrote to stderr: what Go said when it gave up
}

// Cause says why a worker ended, as far as its parent can tell.
type Cause uint8

const (
	Ended         Cause = iota // of its own accord
	Killed                     // by [Process.Kill]
	OutOfMemory                // the system gave it no more memory
	StackOverflow              // a goroutine's stack reached its bound
	Crashed                    // a panic that nobody recovered, or another fault
	KilledByOther              // at its bound of processor time, when the machine ran out of memory, or by a person
)

var causeNames = [...]string{"ended", "killed", "out of memory", "stack overflow", "crashed", "killed from outside"}

func (c Cause) String() string { return causeNames[c] }

func (d Death) String() string {
	line, _, _ := strings.Cut(d.Note, "\n")
	if line == "" {
		return fmt.Sprintf("%s (%s)", d.Cause, d.State)
	}
	return fmt.Sprintf("%s (%s): %s", d.Cause, d.State, line)
}

// lastWords are what Go's runtime writes before it ends a process with status 2,
// whichever of these is the reason: only the text tells them apart. The C
// library's word for no memory for a thread is among them.
var lastWords = []struct {
	text  string
	cause Cause
}{
	{"fatal error: stack overflow", StackOverflow},
	{"out of memory", OutOfMemory},
	{"cannot allocate memory", OutOfMemory},
	{"cannot map pages", OutOfMemory},
	{"failed to create new OS thread", OutOfMemory},
	{"pthread_create failed", OutOfMemory},
	{"runtime: VirtualAlloc of", OutOfMemory},
}

func diagnose(state *os.ProcessState, killed bool, note string) Death {
	d := Death{
		Cause: Ended,
		State: state.String(),
		CPU:   state.UserTime() + state.SystemTime(),
		Note:  note,
	}
	switch {
	case wasKilled(state):
		d.Cause = KilledByOther
		if killed {
			d.Cause = Killed
		}
	case !state.Exited() || state.ExitCode() == crashStatus:
		d.Cause = lastWord(note)
	}
	return d
}

// crashStatus is the exit status of a Go program that its runtime ended.
const crashStatus = 2

func lastWord(note string) Cause {
	for _, w := range lastWords {
		if strings.Contains(note, w.text) {
			return w.cause
		}
	}
	return Crashed
}

// head keeps the beginning of what is written to it.
type head struct {
	mu   sync.Mutex
	text []byte
}

const headSize = 16 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), headSize-len(h.text))]...)
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}

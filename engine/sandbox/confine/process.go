package confine

import (
	"os"
	"os/exec"
	"sync"
	"time"
)

// A Process is a worker as its parent sees it.
type Process struct {
	// To and From are the parent's ends of the only two pipes to the worker.
	// They take deadlines. From ends when the worker is dead.
	To, From *os.File

	cmd  *exec.Cmd
	note head
	wait func() Death

	mu      sync.Mutex // guards what follows, and the worker's number
	killed  bool
	settled bool // it is dead, and its number may soon be another's
}

// Start starts the running executable again, with these arguments, as a process
// that is going to call [Self]. It is the executable that runs, even where the
// file of that name has become another. The process has no environment, no
// descriptor but its pipes, / as its directory, and dies with its parent. Every
// process is to be waited for.
func Start(args ...string) (*Process, error) {
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, closeAll(err, in, to)
	}
	p := &Process{To: to, From: from, cmd: command(args)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, out, &p.note
	p.wait = sync.OnceValue(p.reap)
	if err := start(p.cmd); err != nil {
		return nil, closeAll(err, in, to, from, out)
	}
	in.Close()
	out.Close()
	return p, nil
}

func command(args []string) *exec.Cmd {
	return &exec.Cmd{
		Path: executable(),
		Args: append([]string{os.Args[0]}, args...),
		Env:  []string{},
		Dir:  root(),
		// A worker's child, if there could be one, does not keep Wait.
		WaitDelay:   time.Second,
		SysProcAttr: attributes(),
	}
}

func closeAll(err error, files ...*os.File) error {
	for _, f := range files {
		f.Close()
	}
	return err
}

// Pid is the worker's number.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Kill ends the worker at once, whatever it does. It may be called at any time.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	if !p.settled {
		killGroup(p.Pid())
	}
	p.cmd.Process.Kill() // an error says that it is dead
}

// Wait waits until the worker is dead, frees what the system keeps of it, closes
// To and From, and tells how it died. It holds a thread while it waits: who has
// many workers reads From to its end first. It may be called by several.
func (p *Process) Wait() Death { return p.wait() }

func (p *Process) reap() Death {
	if settle(p.Pid()) {
		p.mu.Lock()
		killGroup(p.Pid())
		p.settled = true
		p.mu.Unlock()
	}
	p.cmd.Wait() // what it says is in the state
	p.To.Close()
	p.From.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	return diagnose(p.cmd.ProcessState, p.killed, p.note.String())
}

// Usage is what a worker holds of the machine's memory, in bytes.
type Usage struct {
	Resident int64 // what is in memory
	Writable int64 // what it has asked for to write to; 0 where the system does not tell
}

// Usage asks the system for the worker's memory. It costs some microseconds, and
// an error means that the worker is dead or that the system does not tell.
func (p *Process) Usage() (Usage, error) { return usage(p.Pid()) }

package confine

import (
	"errors"
	"strings"
	"time"
)

// Bounds are what a worker may take.
type Bounds struct {
	// Memory is how many bytes it may take beyond what it has when [Self] is
	// called. The bound that is set lies 192 MiB higher, since Go takes memory
	// from the system in large pieces: it is the backstop behind a watch on the
	// heap that tells a script what is wrong.
	Memory int64
	// Stack is how many bytes the stack of one goroutine may grow to.
	Stack int
	// CPU is how much processor time the worker may use in its whole life,
	// rounded up to seconds. 0: any amount.
	CPU time.Duration
	// Unfiltered leaves out the filter of system calls, for systems that do not
	// let a process have one.
	Unfiltered bool
}

func (b Bounds) check() error {
	switch {
	case b.Memory <= 0:
		return errors.New("confine: the memory of a worker has no bound")
	case b.Stack <= 0:
		return errors.New("confine: the stack of a worker has no bound")
	case b.CPU < 0:
		return errors.New("confine: the processor time of a worker is negative")
	}
	return nil
}

// Lacking is the set of bounds that a system does not keep for a worker. What
// is lacking is either made up for by the parent or is a risk to tell of.
type Lacking uint

const (
	// LacksMemory: nothing keeps the worker from taking memory. The parent
	// makes up for it with [Process.Usage] and [Process.Kill].
	LacksMemory Lacking = 1 << iota
	// LacksCPU: its processor time has no bound but a kill in time.
	LacksCPU
	// LacksFiles: a broken interpreter could open files and sockets.
	LacksFiles
	// LacksPrograms: a broken interpreter could run a program.
	LacksPrograms
	// LacksCalls: system calls are not filtered: a broken interpreter could
	// rename or remove files, signal other processes and so on, as far as the
	// user may who runs it.
	LacksCalls
	// LacksParent: it may outlive its parent while it is busy.
	LacksParent
)

var lackingNames = []string{"memory", "processor time", "files", "programs", "system calls", "death with the parent"}

// String names what is lacking, for a person: "memory, programs".
func (l Lacking) String() string {
	var names []string
	for i, name := range lackingNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

package confine

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// procs is how many threads of a worker run Go at once. With one, the script and
// the collector take turns, so that a script cannot ask for memory faster than
// its garbage is collected: with two, a loop that drops a megabyte each time has
// been seen to take 600 MiB with 32 MiB of it alive. What watches the script has
// its turn within some 10 ms.
const procs = 1

// A Worker is a confined process as it sees itself.
type Worker struct {
	In      *os.File // what the parent writes to [Process.To]
	Out     *os.File // what the parent reads from [Process.From]
	Lacking Lacking  // what this system does not bound
}

// Self confines the process that calls it, for good: to be called first thing
// in main of a process that [Start] started. It closes every descriptor but In,
// Out and stderr, so nothing may have been opened that is still to be used. An
// error means that the process is not confined, and must end without having run
// anything that needs to be; it then names what the system refused.
//
// From then on [os.Stdout] is stderr: what is printed cannot get between the
// worker and its parent.
func Self(b Bounds) (Worker, error) {
	if err := b.check(); err != nil {
		return Worker{}, err
	}
	w := Worker{In: os.Stdin, Out: os.Stdout}
	os.Stdout = os.Stderr
	os.Clearenv()
	debug.SetMaxStack(b.Stack)
	// To say a number also ends the runtime's own watch of the machine, which
	// keeps a file open.
	runtime.GOMAXPROCS(procs)
	// The first timer opens the descriptors that timers wait on.
	time.Sleep(time.Nanosecond)
	var err error
	w.Lacking, err = confine(b)
	return w, err
}

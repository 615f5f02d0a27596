package confine

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// executable is the running program itself, whatever has become of its file: a
// child has it until it becomes another program.
func executable() string { return "/proc/self/exe" }

func root() string { return "/" }

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// start starts cmd from a thread that lives as long as this process: a child is
// sent its Pdeathsig when the thread that made it ends, not the process.
func start(cmd *exec.Cmd) error {
	done := make(chan error)
	starter() <- func() { done <- cmd.Start() }
	return <-done
}

var starter = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread() // and never unlock it
		// What this thread starts can gain no privileges, in any of its threads.
		// [Self] makes sure of that again, where it may fail.
		unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		for f := range starts {
			f()
		}
	}()
	return starts
})

// killGroup kills the worker and all that it started.
func killGroup(pid int) { unix.Kill(-pid, unix.SIGKILL) }

// settle waits for the worker's death and says whether it left the number of
// the dead process in place, so that its group can still be killed by it.
func settle(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}

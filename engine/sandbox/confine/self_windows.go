package confine

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// spare is what a worker may take on top of its memory. The bound is on all that
// the system has promised it, the program's own data with it.
const spare = 192 << 20

// confine puts the process into a job of its own, whose bounds come on top of
// those of the job that it is in.
func confine(b Bounds) (Lacking, error) {
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY |
				windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS |
				windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
			ActiveProcessLimit: 1,
		},
		ProcessMemoryLimit: uintptr(b.Memory + spare),
	}
	if b.CPU > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_PROCESS_TIME
		limits.BasicLimitInformation.PerProcessUserTimeLimit = b.CPU.Nanoseconds() / 100
	}
	job, err := newJob(limits)
	if err != nil {
		return 0, err
	}
	// The job lasts as long as there is a handle to it or a process in it.
	defer windows.CloseHandle(job)
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return 0, os.NewSyscallError("AssignProcessToJobObject", err)
	}
	return LacksFiles | LacksCalls, nil
}

func usage(int) (Usage, error) { return Usage{}, errors.ErrUnsupported }

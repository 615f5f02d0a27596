package confine

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// confine puts the bounds in force that this system has. It accepts a limit on
// address space but does not keep to it, its signal at the limit of processor
// time is one that Go ignores, and its filter of system calls is to be had only
// from C. Root alone can still start processes, but a process can become another
// program.
func confine(b Bounds) (Lacking, error) {
	if err := closeDescriptors("/dev/fd", func(string) bool { return true }); err != nil {
		return 0, err
	}
	limits := append(commonLimits(b), rlimit{"processes", unix.RLIMIT_NPROC, 0})
	if err := setLimits(limits); err != nil {
		return 0, err
	}
	go endWithParent(os.Getppid())
	return LacksMemory | LacksCPU | LacksPrograms | LacksCalls | LacksParent, nil
}

// endWithParent ends the process a little after its parent. Nothing does so on
// this system where the process is too broken to run it.
func endWithParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(500 * time.Millisecond)
	}
	os.Exit(1)
}

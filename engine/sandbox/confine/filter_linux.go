//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A call is one that the filter lets through: a system call by its number, if
// all tests pass of its arguments.
type call struct {
	number uint32
	tests  []test
}

// A test passes an argument whose lower half has these bits under the mask. The
// kernel reads no more of those that are tested here.
type test struct{ arg, mask, bits uint32 }

// allowed are the calls that are left to a worker: what Go's runtime and the C
// library need for memory, threads, timers and signals to itself, and what
// reads and writes descriptors that are open. Everything else is refused as not
// permitted: there is no way to a file, a socket, a program or another process.
func allowed(pid int) []call {
	always := []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE,
		unix.SYS_FUTEX, unix.SYS_SCHED_YIELD,
		unix.SYS_EPOLL_PWAIT, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
		unix.SYS_RESTART_SYSCALL,
		unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_BRK,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM,
		unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, // of new threads, by the C library
		unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	}
	calls := []call{
		// Memory of its own, never a file's, never to be executed.
		{unix.SYS_MMAP, []test{{2, unix.PROT_EXEC, 0}, {3, unix.MAP_ANONYMOUS, unix.MAP_ANONYMOUS}}},
		{unix.SYS_MPROTECT, []test{{2, unix.PROT_EXEC, 0}}},
		// Threads, never processes and never namespaces.
		{unix.SYS_CLONE, []test{{0, ^uint32(optionalThread), thread}}},
		// Signals to its own threads.
		{unix.SYS_TGKILL, []test{{0, ^uint32(0), uint32(pid)}}},
	}
	for _, number := range always {
		calls = append(calls, call{number: number})
	}
	return calls
}

// How Go and the C library start a thread.
const (
	thread         = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_SYSVSEM | unix.CLONE_THREAD
	optionalThread = unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID | unix.CLONE_DETACHED
)

// Offsets into what a filter sees of a system call: struct seccomp_data of
// linux/seccomp.h. Both architectures are little endian.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

const (
	refused = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	// unknown says that the kernel is too old for a call. The C library then
	// starts threads by clone, whose flags a filter can see.
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// program is the filter, for the classic BPF machine of the kernel. A call of
// another architecture, with other numbers, ends the process. On amd64 the calls
// of x32 have that architecture but numbers that none here is equal to.
func program(calls []call) []unix.SockFilter {
	p := []unix.SockFilter{
		load(offsetArch),
		skipIf(auditArch, 1, 0),
		ret(unix.SECCOMP_RET_KILL_PROCESS),
		load(offsetNumber),
		skipIf(unix.SYS_CLONE3, 0, 1),
		ret(unknown),
	}
	for _, c := range calls {
		var body []unix.SockFilter
		for _, t := range c.tests {
			body = append(body, load(offsetArgs+8*t.arg), and(t.mask), skipIf(t.bits, 1, 0), ret(refused))
		}
		body = append(body, ret(unix.SECCOMP_RET_ALLOW))
		p = append(p, skipIf(c.number, 0, uint8(len(body))))
		p = append(p, body...)
	}
	return append(p, ret(refused))
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func and(mask uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask}
}

// skipIf skips that many instructions if what was loaded is k, or if it is not.
func skipIf(k uint32, equal, other uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: equal, Jf: other}
}

func ret(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

// filter puts the filter into force for all threads of the process, and with it
// that none gains privileges by running a program.
func filter(b Bounds) (Lacking, error) {
	if b.Unfiltered {
		return LacksPrograms | LacksCalls, nil
	}
	p := program(allowed(os.Getpid()))
	fprog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("confine: cannot give up new privileges: %w", err)
	}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog)))
	switch {
	case errno != 0:
		return 0, fmt.Errorf("confine: this system lets no process filter its system calls: %w", errno)
	case thread != 0:
		return 0, fmt.Errorf("confine: thread %d has a filter of its own", thread)
	}
	return 0, nil
}

package confine_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

var parent = os.Getppid() // asked for before the worker is confined

func init() {
	parts["attempt"] = func(_ confine.Worker, args []string) string {
		err := attempts[args[0]]()
		errno := syscall.Errno(0)
		switch {
		case err == nil:
			return "done"
		case errors.As(err, &errno):
			return unix.ErrnoName(errno)
		}
		return err.Error()
	}
}

// raw makes a system call that has no wrapper, or whose wrapper makes others.
func raw(number uintptr, args ...uintptr) error {
	args = append(args, 0, 0, 0, 0, 0, 0)
	_, _, errno := unix.RawSyscall6(number, args[0], args[1], args[2], args[3], args[4], args[5])
	if errno != 0 {
		return errno
	}
	return nil
}

func text(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s + "\x00"))) }

// folder is one that the test made and told the worker of.
func folder() string { return os.Args[len(os.Args)-1] }

// attempts are what a broken interpreter might try.
var attempts = map[string]func() error{
	"open a file":           func() error { _, err := os.Open("/etc/passwd"); return err },
	"create a file":         func() error { _, err := os.Create(folder() + "/new"); return err },
	"open the environment":  func() error { _, err := unix.Openat(unix.AT_FDCWD, "/proc/self/environ", 0, 0); return err },
	"openat2":               func() error { _, err := unix.Openat2(unix.AT_FDCWD, "/", &unix.OpenHow{}); return err },
	"list a folder":         func() error { _, err := os.ReadDir("/"); return err },
	"stat":                  func() error { _, err := os.Stat("/"); return err },
	"read a link":           func() error { _, err := os.Readlink("/proc/self/exe"); return err },
	"change the folder":     func() error { return os.Chdir("/tmp") },
	"make a folder":         func() error { return os.Mkdir(folder()+"/folder", 0o700) },
	"remove a file":         func() error { return unix.Unlink(folder() + "/none") },
	"rename a file":         func() error { return unix.Rename(folder()+"/none", folder()+"/other") },
	"change a mode":         func() error { return unix.Chmod(folder()+"/none", 0) },
	"mount":                 func() error { return unix.Mount("none", "/proc/self/none", "tmpfs", 0, "") },
	"chroot":                func() error { return unix.Chroot("/") },
	"dial":                  func() error { _, err := net.Dial("tcp", "127.0.0.1:1"); return err },
	"open a socket":         func() error { _, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); return err },
	"open a local socket":   func() error { _, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0); return err },
	"open a pair":           func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err },
	"connect":               func() error { return unix.Connect(0, &unix.SockaddrInet4{Port: 1}) },
	"send a descriptor":     func() error { return unix.Sendmsg(1, []byte("x"), unix.UnixRights(0), nil, 0) },
	"run a program":         func() error { return exec.Command("/bin/true").Run() },
	"become a program":      func() error { return unix.Exec("/bin/true", []string{"true"}, nil) },
	"become one, execveat":  func() error { return raw(unix.SYS_EXECVEAT, ^uintptr(99), text("/bin/true"), 0, 0, 0) },
	"fork":                  fork,
	"fork with namespaces":  func() error { return raw(unix.SYS_UNSHARE, unix.CLONE_NEWUSER) },
	"clone in a namespace":  func() error { return raw(unix.SYS_CLONE, threadFlags|unix.CLONE_NEWNET) },
	"trace":                 func() error { return raw(unix.SYS_PTRACE, unix.PTRACE_TRACEME) },
	"signal the parent":     func() error { return unix.Kill(parent, 0) },
	"signal a thread of it": func() error { return unix.Tgkill(parent, parent, 0) },
	"signal all":            func() error { return unix.Kill(-1, 0) },
	"read the parent":       readParent,
	"open the parent":       func() error { _, err := unix.PidfdOpen(parent, 0); return err },
	"limit the parent":      func() error { return unix.Prlimit(parent, unix.RLIMIT_CORE, nil, &unix.Rlimit{}) },
	"lift a limit":          func() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) },
	"be dumpable":           func() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) },
	"map a file":            func() error { _, err := unix.Mmap(2, 0, 4096, unix.PROT_READ, unix.MAP_SHARED); return err },
	"map code": func() error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
		return err
	},
	"make code of memory": func() error {
		b, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return errors.New("no memory")
		}
		return unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC)
	},
	"a file in memory":    func() error { _, err := unix.MemfdCreate("x", 0); return err },
	"a pipe":              func() error { return unix.Pipe2(make([]int, 2), 0) },
	"another descriptor":  func() error { _, err := unix.Dup(0); return err },
	"control a pipe":      func() error { _, err := unix.FcntlInt(1, unix.F_GETFL, 0); return err },
	"control a device":    func() error { _, err := unix.IoctlGetInt(1, unix.TIOCINQ); return err },
	"an event queue":      func() error { _, err := unix.EpollCreate1(0); return err },
	"a timer descriptor":  func() error { _, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, 0); return err },
	"watch files":         func() error { _, err := unix.InotifyInit1(0); return err },
	"io_uring":            func() error { var p [120]byte; return raw(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&p))) },
	"bpf":                 func() error { var a [128]byte; return raw(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&a)), 128) },
	"measure the machine": func() error { _, err := unix.PerfEventOpen(&unix.PerfEventAttr{}, 0, -1, -1, 0); return err },
	"userfaultfd":         func() error { return raw(unix.SYS_USERFAULTFD, 0) },
	"keys":                func() error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_PROCESS_KEYRING, true); return err },
	"become another user": func() error { return raw(unix.SYS_SETUID, 0) },
	"shared memory":       func() error { return raw(unix.SYS_SHMGET, unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600) },
	"name of the machine": func() error { return unix.Uname(&unix.Utsname{}) },
	"read the clock":      func() error { _, err := unix.ClockAdjtime(unix.CLOCK_REALTIME, &unix.Timex{}); return err },
	"a priority":          func() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, 1) },
}

const threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_SYSVSEM | unix.CLONE_THREAD

// fork makes a process that ends at once.
func fork() error {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return nil
}

func readParent() error {
	b := make([]byte, 8)
	local := []unix.Iovec{{Base: &b[0], Len: 8}}
	_, err := unix.ProcessVMReadv(parent, local, []unix.RemoteIovec{{Base: 1 << 20, Len: 8}}, 0)
	return err
}

func TestAttempts(t *testing.T) {
	folder := t.TempDir()
	for name := range attempts {
		t.Run(name, func(t *testing.T) {
			if got := answer(launch(t, encode(small), "attempt", name, folder)); got != "EPERM" {
				t.Errorf("got %q, want EPERM", got)
			}
		})
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// privileged are the attempts that a system may refuse to any process, or that
// leave one in no state to answer.
var privileged = []string{
	"mount", "chroot", "become another user", "clone in a namespace", "fork with namespaces", "trace", "read the parent",
	"signal all", "io_uring", "bpf", "measure the machine", "userfaultfd", "keys", "open the parent", "openat2", "limit the parent",
}

// TestAttemptsUnconfined makes sure that the attempts are such: without bounds
// the system does what is asked, or refuses it for another reason.
func TestAttemptsUnconfined(t *testing.T) {
	folder := t.TempDir()
	for name := range attempts {
		if slices.Contains(privileged, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if got := answer(launch(t, free, "attempt", name, folder)); got == "EPERM" {
				t.Error("got EPERM without bounds")
			}
		})
	}
}

// TestAttemptsUnfiltered holds what is promised where there is no filter: there
// are no further descriptors, so no files and no sockets.
func TestAttemptsUnfiltered(t *testing.T) {
	bounds := small
	bounds.Unfiltered = true
	for _, name := range []string{
		"open a file", "create a file", "open the environment", "list a folder", "dial", "open a socket",
		"open a local socket", "open a pair", "a file in memory", "a pipe", "another descriptor", "an event queue",
	} {
		t.Run(name, func(t *testing.T) {
			if got := answer(launch(t, encode(bounds), "attempt", name, t.TempDir())); got != "EMFILE" {
				t.Errorf("got %q, want EMFILE", got)
			}
		})
	}
}

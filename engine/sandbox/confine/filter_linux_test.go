//go:build linux && (amd64 || arm64)

package confine

import (
	"encoding/binary"
	"testing"

	"golang.org/x/sys/unix"
)

// run is the machine of the kernel, as far as the filter uses it.
func run(t *testing.T, p []unix.SockFilter, arch, number uint32, args ...uint64) uint32 {
	t.Helper()
	data := make([]byte, 64)
	binary.LittleEndian.PutUint32(data[0:], number)
	binary.LittleEndian.PutUint32(data[4:], arch)
	for i, arg := range args {
		binary.LittleEndian.PutUint64(data[16+8*i:], arg)
	}
	var a uint32
	for pc := 0; ; pc++ {
		switch in := p[pc]; in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = binary.LittleEndian.Uint32(data[in.K:])
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= in.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			if a == in.K {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		default:
			t.Fatalf("instruction %d has code %#x", pc, in.Code)
		}
	}
}

// TestProgram is about what a test process cannot ask of the kernel without
// coming to an end, or not from Go.
func TestProgram(t *testing.T) {
	const (
		pid     = 4711
		allow   = unix.SECCOMP_RET_ALLOW
		kill    = unix.SECCOMP_RET_KILL_PROCESS
		x32     = 0x40000000
		i386    = unix.AUDIT_ARCH_I386
		private = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
		write   = unix.PROT_READ | unix.PROT_WRITE
	)
	p := program(allowed(pid))
	for _, test := range []struct {
		name   string
		arch   uint32
		number uint32
		args   []uint64
		want   uint32
	}{
		{"read", auditArch, unix.SYS_READ, nil, allow},
		{"exit", auditArch, unix.SYS_EXIT_GROUP, nil, allow},
		{"openat", auditArch, unix.SYS_OPENAT, nil, refused},
		{"beyond all", auditArch, ^uint32(0), nil, refused},
		{"read of x32", auditArch, unix.SYS_READ | x32, nil, refused},
		{"exit of i386", i386, 1, nil, kill},
		{"read of arm", unix.AUDIT_ARCH_ARM, 3, nil, kill},
		{"clone3", auditArch, unix.SYS_CLONE3, nil, unknown},
		{"thread of Go", auditArch, unix.SYS_CLONE, []uint64{thread | unix.CLONE_SETTLS}, allow},
		{"thread of C", auditArch, unix.SYS_CLONE, []uint64{thread | optionalThread}, allow},
		{"fork", auditArch, unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, refused},
		{"vfork", auditArch, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_VFORK | uint64(unix.SIGCHLD)}, refused},
		{"thread that is a process", auditArch, unix.SYS_CLONE, []uint64{thread &^ unix.CLONE_THREAD}, refused},
		{"thread in a namespace", auditArch, unix.SYS_CLONE, []uint64{thread | unix.CLONE_NEWNS}, refused},
		{"thread that is traced", auditArch, unix.SYS_CLONE, []uint64{thread | unix.CLONE_PTRACE}, refused},
		{"memory", auditArch, unix.SYS_MMAP, []uint64{0, 4096, write, private}, allow},
		{"memory there", auditArch, unix.SYS_MMAP, []uint64{1 << 40, 4096, unix.PROT_NONE, private | unix.MAP_FIXED}, allow},
		{"memory for code", auditArch, unix.SYS_MMAP, []uint64{0, 4096, unix.PROT_EXEC, private}, refused},
		{"a file's memory", auditArch, unix.SYS_MMAP, []uint64{0, 4096, write, unix.MAP_PRIVATE}, refused},
		{"protection", auditArch, unix.SYS_MPROTECT, []uint64{0, 4096, write}, allow},
		{"protection for code", auditArch, unix.SYS_MPROTECT, []uint64{0, 4096, unix.PROT_READ | unix.PROT_EXEC}, refused},
		{"signal to itself", auditArch, unix.SYS_TGKILL, []uint64{pid, 1, 23}, allow},
		{"signal to another", auditArch, unix.SYS_TGKILL, []uint64{pid + 1, pid, 23}, refused},
	} {
		if got := run(t, p, test.arch, test.number, test.args...); got != test.want {
			t.Errorf("%s: got %#x, want %#x", test.name, got, test.want)
		}
	}
}

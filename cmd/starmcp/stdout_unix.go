//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// claimStdout returns a private way to where f writes, and points f itself at
// stderr. Whatever a library or a child prints goes there from then on: only
// the holder of the returned file can write to the client.
func claimStdout(f, stderr *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	if err := unix.Dup2(int(stderr.Fd()), int(f.Fd())); err != nil {
		return nil, os.NewSyscallError("dup2", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}

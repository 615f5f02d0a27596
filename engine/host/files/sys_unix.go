//go:build linux || darwin

package files

import (
	"io"

	"golang.org/x/sys/unix"
)

// The system calls of a walk, begun again where a signal interrupts them.

func openat(dir int, name string, flags int) (fd int, err error) {
	err = unix.EINTR
	for err == unix.EINTR {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, 0)
	}
	return fd, err
}

func fstat(fd int, stat *unix.Stat_t) error {
	return again(func() error { return unix.Fstat(fd, stat) })
}

// fstatat does not follow a link.
func fstatat(dir int, name string, stat *unix.Stat_t) error {
	return again(func() error { return unix.Fstatat(dir, name, stat, unix.AT_SYMLINK_NOFOLLOW) })
}

func readlink(dir int, name string) (string, error) {
	buf := make([]byte, maxPath)
	var n int
	err := again(func() (err error) {
		n, err = unix.Readlinkat(dir, name, buf)
		return err
	})
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// An openFile is a regular file's descriptor, opened so that it never blocks:
// the few that have nothing to say yet end here.
type openFile int

func (f openFile) Read(buf []byte) (n int, err error) {
	err = again(func() (err error) {
		n, err = unix.Read(int(f), buf)
		return err
	})
	switch {
	case err == unix.EAGAIN, err == nil && n == 0 && len(buf) > 0:
		return 0, io.EOF
	case err != nil:
		return 0, err
	}
	return n, nil
}

func (f openFile) Seek(offset int64, whence int) (int64, error) {
	return unix.Seek(int(f), offset, whence)
}

func (f openFile) Close() error { return unix.Close(int(f)) }

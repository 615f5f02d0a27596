//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

// pollable is a file that Go waits for together with all others: waiting for a
// frame must not hold a thread, which a script may need. It is to be made before
// the process is confined.
func pollable(f *os.File) *os.File {
	fd := f.Fd()
	if syscall.SetNonblock(int(fd), true) != nil {
		return f
	}
	return os.NewFile(fd, f.Name())
}

package files

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// dirFlags open a folder for reading: there is no other way that every version
// of the system offers, so each folder on the way must be readable.
const dirFlags = unix.O_RDONLY

// isProc tells that there is no proc filesystem here.
func isProc(int) bool { return false }

// openHandle opens the folder that an entry is in: single files are not mounted
// here, so it is in the same filesystem.
func openHandle(dir int, name string) (int, error) {
	return openat(dir, ".", dirFlags|unix.O_DIRECTORY)
}

// blockSize is the unit of the counts in fs.
func blockSize(fs *unix.Statfs_t) int64 { return int64(fs.Bsize) }

// leap finds nothing here: every walk goes name by name.
func (w *walk) leap([]string) *place { return nil }

// readDir lists an open folder, at most limit entries or few more.
func readDir(fd, limit int) ([]Entry, error) {
	own, err := unix.FcntlInt(uintptr(fd), syscall.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	dir := os.NewFile(uintptr(own), "")
	defer dir.Close()
	names, err := dir.Readdirnames(limit)
	if err == io.EOF {
		err = nil
	}
	entries := make([]Entry, len(names))
	for i, name := range names {
		entries[i].Name = name
	}
	return entries, err
}

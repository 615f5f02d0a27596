package files

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// dirFlags open a folder only to look things up in it, which takes no
// permission to list it.
const dirFlags = unix.O_PATH

// isProc tells whether an open folder is in a proc filesystem, wherever that is
// mounted. One that does not say counts as such: less is done with it then.
func isProc(fd int) bool {
	var fs unix.Statfs_t
	err := again(func() error { return unix.Fstatfs(fd, &fs) })
	return err != nil || fs.Type == unix.PROC_SUPER_MAGIC
}

// openHandle opens an entry, whatever it is, without touching its content.
func openHandle(dir int, name string) (int, error) {
	return openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW)
}

// blockSize is the unit of the counts in fs.
func blockSize(fs *unix.Statfs_t) int64 {
	if fs.Frsize > 0 {
		return int64(fs.Frsize)
	}
	return int64(fs.Bsize)
}

// readDir lists an open folder, at most limit entries, with what the folder
// knows of their types: asking the entries themselves would block on one that
// is a mount point of a filesystem that does not answer.
func readDir(fd, limit int) ([]Entry, error) {
	var entries []Entry
	buf := make([]byte, 32<<10)
	for len(entries) < limit {
		n, err := unix.Getdents(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return entries, err
		}
		for rest := buf[:n]; len(rest) > 0; {
			// struct linux_dirent64: inode and offset of 8 bytes, length of 2,
			// type of 1, and the name up to a NUL.
			length := binary.NativeEndian.Uint16(rest[16:])
			name := unix.ByteSliceToString(rest[19:length])
			if name != "." && name != ".." {
				entries = append(entries, Entry{name, dirTypes[rest[18]]})
			}
			rest = rest[length:]
		}
	}
	return entries, nil
}

// dirTypes has no entry for DT_UNKNOWN, which some filesystems answer.
var dirTypes = map[byte]string{
	unix.DT_REG: typeFile, unix.DT_DIR: typeDir, unix.DT_LNK: typeSymlink,
	unix.DT_FIFO: typeOther, unix.DT_SOCK: typeOther, unix.DT_CHR: typeOther, unix.DT_BLK: typeOther,
}

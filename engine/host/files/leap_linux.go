package files

import (
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// cannotLeap is set where the kernel is older than 5.6, or a filter of system
// calls keeps openat2 from it.
var cannotLeap atomic.Bool

// leap finds at once what a path leads to where there is no link in it. The
// kernel sees to that in the same step in which it opens the folder. Where there
// may be a link, or anything else is special or wrong, it finds nothing, and the
// walk has to go name by name.
func (w *walk) leap(names []string) *place {
	if len(names) < 2 || cannotLeap.Load() || slices.ContainsFunc(names, isSecret) {
		return nil
	}
	above, name := slices.Clip(names[:len(names)-1]), names[len(names)-1]
	folder, err := openat2(joined(above))
	if err != nil {
		cannotLeap.CompareAndSwap(false, errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM))
		return nil
	}
	w.dirs, w.names = append(w.dirs, folder), above
	end, err := w.enter(name)
	if err == nil && end == nil {
		end, err = w.here()
	}
	if err != nil || end.said != "" {
		w.close()
		return nil
	}
	return end
}

// openat2 opens a folder by a path that has no link in it.
func openat2(path string) (fd int, err error) {
	how := unix.OpenHow{
		Flags:   dirFlags | unix.O_DIRECTORY | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS,
	}
	err = again(func() (err error) {
		fd, err = unix.Openat2(unix.AT_FDCWD, path, &how)
		return err
	})
	return fd, err
}

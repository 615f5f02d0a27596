//go:build linux || darwin

package confine

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

type rlimit struct {
	name     string
	resource int
	value    uint64
}

// commonLimits are the limits that every Unix has and that do not depend on
// what the worker holds already.
func commonLimits(b Bounds) []rlimit {
	limits := []rlimit{
		{"core file", unix.RLIMIT_CORE, 0},
		{"file size", unix.RLIMIT_FSIZE, 0},
		// The descriptors that are open stay so; there will be no other.
		{"descriptors", unix.RLIMIT_NOFILE, 0},
	}
	if b.CPU > 0 {
		seconds := (b.CPU + time.Second - 1) / time.Second
		limits = append(limits, rlimit{"processor time", unix.RLIMIT_CPU, uint64(seconds)})
	}
	return limits
}

// setLimits sets the limits, but never above what was in force.
func setLimits(limits []rlimit) error {
	for _, l := range limits {
		var old unix.Rlimit
		err := unix.Getrlimit(l.resource, &old)
		if err == nil {
			// With both the same the process is killed at the limit: the signal
			// that would come before is one that Go ignores.
			value := min(l.value, old.Max)
			err = unix.Setrlimit(l.resource, &unix.Rlimit{Cur: value, Max: value})
		}
		if err != nil {
			return fmt.Errorf("confine: cannot limit %s to %d: %w", l.name, l.value, err)
		}
	}
	return nil
}

// closeDescriptors closes all descriptors from the third on that the process
// inherited, and of its own those that keep does not want. Own ones are known
// by their flag: what closes on exec has not come through one. Folder lists the
// open descriptors.
func closeDescriptors(folder string, keep func(fd string) bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("confine: cannot tell the open descriptors: %w", err)
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || fd <= 2 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil {
			continue // the folder's own, closed by now
		}
		if flags&unix.FD_CLOEXEC == 0 || !keep(e.Name()) {
			unix.Close(fd)
		}
	}
	return nil
}

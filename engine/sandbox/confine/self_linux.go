package confine

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// confine puts the bounds in force. The order matters: each step takes away
// something that an earlier one needs.
func confine(b Bounds) (Lacking, error) {
	// When the machine runs out of memory, a worker is to go before the server.
	// Some systems refuse that, and nothing depends on it.
	os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if err := closeDescriptors("/proc/self/fd", isPoller); err != nil {
		return 0, err
	}
	if err := limit(b); err != nil {
		return 0, err
	}
	// Others of the same user can neither trace it nor read its memory.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("confine: cannot be kept from being traced: %w", err)
	}
	return filter(b)
}

// isPoller tells Go's own means to wait for timers from other descriptors.
func isPoller(fd string) bool {
	target, _ := os.Readlink("/proc/self/fd/" + fd)
	return target == "anon_inode:[eventpoll]" || target == "anon_inode:[eventfd]"
}

func limit(b Bounds) error {
	now, err := readStatm("self")
	if err != nil {
		return fmt.Errorf("confine: cannot tell its own memory: %w", err)
	}
	limits := []rlimit{
		{"memory", unix.RLIMIT_DATA, uint64(now.data + b.Memory + spareData)},
		{"address space", unix.RLIMIT_AS, uint64(now.size + b.Memory + spareSpace)},
	}
	return setLimits(append(limits, commonLimits(b)...))
}

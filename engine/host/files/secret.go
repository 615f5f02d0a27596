package files

import (
	"slices"
	"strings"
)

// What /proc shows of a process's memory and environment, and of the kernel's.
// None of it is read through a folder or "*", only where it is spelled out.
var (
	processSecrets = []string{
		"environ", "mem", "maps", "smaps", "smaps_rollup", "numa_maps", "map_files",
		"auxv", "syscall", "stack", "pagemap",
	}
	kernelSecrets = []string{"kcore", "kmsg", "keys"}
)

// givesAway says for messages what is wrong with showing one.
const givesAway = "gives away the memory or environment of a process, or of the kernel"

// secretDepth returns how many of the segments it takes to name a secret, or 0.
// It goes by the text, so it takes any folder called proc for one: hosts' are
// mounted into containers under many names.
func secretDepth(names []string) int {
	for i, name := range names {
		if name != "proc" {
			continue
		}
		if below := names[i+1:]; len(below) > 0 && slices.Contains(kernelSecrets, below[0]) {
			return i + 2
		} else if n := processDepth(below); n > 0 && len(below) > n && slices.Contains(processSecrets, below[n]) {
			return i + 1 + n + 1
		}
	}
	return 0
}

// processDepth returns how many segments name a process or a thread of one, in
// a path below a proc filesystem: PID, or PID/task/TID.
func processDepth(below []string) int {
	if len(below) == 0 || !mayBeNumber(below[0]) {
		return 0
	}
	if len(below) > 2 && below[1] == "task" && mayBeNumber(below[2]) {
		return 3
	}
	return 1
}

// mayBeNumber tells of a segment that is a number or, as a pattern, matches one.
func mayBeNumber(name string) bool { return strings.Trim(name, "0123456789*") == "" }

// forbidden says why a path is this server's own and never opened, and what to
// read instead. It goes by the text; a walk notices it by other names as well.
func forbidden(names []string) (reason, instead string) {
	if len(names) < 2 {
		return "", ""
	}
	switch names[0] + "/" + names[1] {
	case "proc/self", "proc/thread-self":
		return "is the server itself, not the process that asks",
			"name a process, as in /proc/1/status, or the machine's own file, such as /proc/mounts or /proc/net/dev"
	case "dev/stdin", "dev/stdout", "dev/stderr", "dev/fd":
		return "is one of the server's own open files", "name the file itself"
	}
	return "", ""
}

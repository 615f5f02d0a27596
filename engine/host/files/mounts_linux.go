package files

import (
	"os"
	"strconv"
	"strings"
)

// mounts lists what is mounted for this process. The kernel knows that without
// asking the filesystems.
func mounts() []mount {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	var all []mount
	for line := range strings.Lines(string(text)) {
		if m, ok := parseMount(line); ok {
			all = append(all, m)
		}
	}
	return all
}

// parseMount reads a line of mountinfo, see proc_pid_mountinfo(5):
//
//	36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw
func parseMount(line string) (mount, bool) {
	where, what, ok := strings.Cut(line, " - ")
	fields, kind := strings.Fields(where), strings.Fields(what)
	if !ok || len(fields) < 5 || len(kind) < 1 {
		return mount{}, false
	}
	label := kind[0]
	if len(kind) > 1 && kind[1] != kind[0] {
		label += " " + unescapeOctal(kind[1])
	}
	return mount{point: unescapeOctal(fields[4]), label: label}, true
}

// unescapeOctal reads \040 and its like, as blanks are written there.
func unescapeOctal(s string) string {
	before, rest, found := strings.Cut(s, `\`)
	if !found {
		return s
	}
	if len(rest) >= 3 {
		if c, err := strconv.ParseUint(rest[:3], 8, 8); err == nil {
			return before + string([]byte{byte(c)}) + unescapeOctal(rest[3:])
		}
	}
	return before + `\` + unescapeOctal(rest)
}

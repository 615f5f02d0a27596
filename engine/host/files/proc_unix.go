//go:build linux || darwin

package files

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine"
)

// isSecret tells of a name in a proc filesystem. Nothing else in there has one
// of these names, at whatever depth.
func isSecret(name string) bool {
	return slices.Contains(processSecrets, name) || slices.Contains(kernelSecrets, name)
}

// spells tells whether p names the path without any wildcard, perhaps as a
// folder on its way.
func (p Pattern) spells(names []string) bool {
	return len(names) <= len(p.names) && !wild(names) && slices.Equal(p.names[:len(names)], names)
}

// spells tells whether some pattern names the path without any wildcard.
func (s *scope) spells(names []string) bool {
	return slices.ContainsFunc(s.patterns, func(p Pattern) bool { return p.spells(names) })
}

// isOwn tells whether the walk is inside what /proc shows of this process or
// one of its threads.
func (w *walk) isOwn() bool {
	root := slices.IndexFunc(w.dirs, isProc)
	if root < 0 || root == len(w.names) {
		return false
	}
	own, err := readlink(w.dirs[root], "self")
	if err != nil {
		return false
	}
	var stat unix.Stat_t
	return fstatat(w.dirs[root], own+"/task/"+w.names[root], &stat) == nil
}

// enterProc stands for a link in a proc filesystem. Most of them lead to open
// files, whatever they say, and are not followed. Two are only there because
// mounts and network belong to a process: they are taken for what they were
// before, the machine's own.
func (w *walk) enterProc(proc int, link *place) (*place, error) {
	if link.said != "self/"+link.name || link.name != "mounts" && link.name != "net" {
		return nil, engine.Effectf(engine.Denied, "%s%s is a link within a proc filesystem, which need not lead where it says and is never followed; name the file itself", w.link, show(link.names))
	}
	own, err := readlink(proc, "self")
	if err != nil {
		return nil, err
	}
	process, err := openat(proc, own, dirFlags|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	w.spare = append(w.spare, process)
	if fd, err := openat(process, link.name, dirFlags|unix.O_DIRECTORY|unix.O_NOFOLLOW); err == nil {
		w.push(fd, link.name)
		return nil, nil
	}
	return w.lookup(process, link.name)
}

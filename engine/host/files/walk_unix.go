//go:build linux || darwin

package files

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine"
)

// A walk goes from the root to a path, one open folder after the other. The
// folders stay open until it is closed: the way back for a link's ".." is the
// way it came.
type walk struct {
	pass  *pass
	scope *scope
	dirs  []int    // descriptors, good for looking up what is in the folder
	names []string // of dirs, without the root
	links int
	link  string // how the latest link led here, to begin a message with
	spare []int  // other descriptors to close
}

// find walks to a path in the scope and returns what is there. Allowed tells of
// the end of the walk whether it may be used.
func find(p *pass, s *scope, names []string, last lastLink, allowed func(names []string) bool) (*place, error) {
	w := &walk{pass: p, scope: s}
	found := w.leap(names)
	var err error
	if found == nil {
		found, err = w.follow(names, last)
	}
	if err == nil && !allowed(found.names) {
		err = s.refusal(w.link, found.names)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return found, nil
}

// follow does the walking. What remains to be walked are plain names at first;
// links put "..", "." and empty ones before them.
func (w *walk) follow(remains []string, last lastLink) (*place, error) {
	if err := w.restart(); err != nil {
		return nil, err
	}
	for len(remains) > 0 {
		name := remains[0]
		remains = remains[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			w.back()
			continue
		}
		if err := w.permit(name, remains); err != nil {
			return nil, err
		}
		end, err := w.enter(name)
		switch {
		case err != nil:
			return nil, w.failure(err, name)
		case end == nil: // a folder, which the walk is in now
		case len(remains) == 0 && (end.said == "" || last == keepLast):
			return end, nil
		case end.said == "":
			return nil, w.failure(unix.ENOTDIR, name)
		default:
			if remains, err = w.redirect(end, remains); err != nil {
				return nil, err
			}
		}
	}
	return w.here()
}

// enter goes into the folder called name, or returns what else has that name.
func (w *walk) enter(name string) (*place, error) {
	in := w.in()
	for ; ; w.links++ {
		fd, err := openat(in, name, dirFlags|unix.O_DIRECTORY|unix.O_NOFOLLOW)
		if err == nil {
			w.push(fd, name)
			return nil, nil
		}
		if err != unix.ENOTDIR && err != unix.ELOOP || w.links > maxLinks {
			return nil, err
		}
		end, err := w.lookup(in, name)
		if err != nil {
			return nil, err
		}
		switch end.stat.Mode & unix.S_IFMT {
		case unix.S_IFDIR:
			continue // it has just become one
		case unix.S_IFLNK:
			end.said, err = readlink(in, name)
			if err == unix.EINVAL {
				continue // it is none any more
			}
			if err == nil && isProc(in) {
				return w.enterProc(in, end)
			}
		}
		return end, err
	}
}

// permit refuses a name before it is touched. What remains after it tells the
// reader where the walk was going.
func (w *walk) permit(name string, remains []string) error {
	names := below(w.names, name)
	reason, _ := forbidden(names)
	switch {
	case reason != "":
		return w.scope.refusal(w.link, names)
	case len(w.names) >= maxDepth:
		return engine.Effectf(engine.Failed, "%s%s is more than %d folders deep", w.link, show(names), maxDepth)
	case isSecret(name) && isProc(w.in()) && (!w.scope.spells(names) || w.isOwn()):
		return engine.Effectf(engine.Denied, "%s%s %s: it takes needs and a grant that spell it out, and the server's own is never shown", w.link, show(names), givesAway)
	case !w.scope.reaches(names):
		target, _ := split(path.Join(joined(names), path.Join(remains...)))
		return w.scope.refusal(w.link, target)
	}
	return nil
}

// redirect turns what a link says into what remains to be walked.
func (w *walk) redirect(link *place, remains []string) ([]string, error) {
	w.link = show(link.names) + " is a symbolic link to " + printable(link.said) + ": "
	if w.links++; w.links > maxLinks {
		return nil, w.failure(unix.ELOOP, link.name)
	}
	if path.IsAbs(link.said) {
		if err := w.restart(); err != nil {
			return nil, err
		}
	}
	remains = append(strings.Split(link.said, "/"), remains...)
	return remains, w.pass.to(path.Join(joined(w.names), path.Join(remains...)))
}

// restart goes to the root.
func (w *walk) restart() error {
	w.close()
	fd, err := openat(unix.AT_FDCWD, "/", dirFlags|unix.O_DIRECTORY)
	if err != nil {
		return w.failure(err, "")
	}
	w.dirs = append(w.dirs, fd)
	return nil
}

// push makes an open folder the one that the walk is in.
func (w *walk) push(fd int, name string) {
	w.dirs, w.names = append(w.dirs, fd), append(w.names, name)
}

// in is the folder that the walk is in.
func (w *walk) in() int { return w.dirs[len(w.dirs)-1] }

// back goes to the folder that the walk came from. Above the root is the root.
func (w *walk) back() {
	if last := len(w.dirs) - 1; last > 0 {
		unix.Close(w.dirs[last])
		w.dirs, w.names = w.dirs[:last], w.names[:last-1]
	}
}

func (w *walk) close() {
	for _, fd := range slices.Concat(w.dirs, w.spare) {
		unix.Close(fd)
	}
	w.dirs, w.names, w.spare = nil, nil, nil
}

// here is the folder that the walk is in.
func (w *walk) here() (*place, error) {
	end := &place{walk: w, names: w.names, fd: w.in()}
	return end, w.failure(fstat(end.fd, &end.stat), "")
}

// lookup is an entry of an open folder, whatever it is.
func (w *walk) lookup(fd int, name string) (*place, error) {
	end := &place{walk: w, names: below(w.names, name), fd: fd, name: name}
	return end, fstatat(fd, name, &end.stat)
}

// failure words an error of the system, about an entry of the folder that the
// walk is in.
func (w *walk) failure(err error, name string) error {
	if err == nil {
		return nil
	}
	names := w.names
	if name != "" {
		names = below(names, name)
	}
	return failure(err, w.link+show(names))
}

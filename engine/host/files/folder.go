package files

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// An Entry is something in a folder.
type Entry struct {
	Name string // without the folder
	Type string // "file", "dir", "symlink" or "other"
}

func byName(a, b Entry) int { return strings.Compare(a.Name, b.Name) }

// List returns what is in a folder, sorted by name. More than [MaxEntries] are
// refused with the kind too_big.
func (v *View) List(ctx context.Context, path string) ([]Entry, error) {
	names, err := v.read.permit(path)
	if err != nil {
		return nil, err
	}
	return within(ctx, v.disk, names, func(p *pass) ([]Entry, error) {
		folder, err := find(p, &v.read, names, followLast, v.read.allows)
		if err != nil {
			return nil, err
		}
		defer folder.close()
		entries, err := folder.entries(MaxEntries + 1)
		if len(entries) > MaxEntries {
			return nil, engine.Effectf(engine.TooBig, "%s has more than %d entries: find some of them with ctx.fs.glob", show(names), MaxEntries)
		}
		return entries, err
	})
}

// Glob returns the paths that a pattern matches, sorted; the pattern must lie
// within one of the tool's own. Folders on the way that cannot be looked into
// are passed over, and the last segment's links are not followed. More than
// [MaxEntries] paths are refused with the kind too_big.
func (v *View) Glob(ctx context.Context, pattern string) ([]string, error) {
	want, err := ParsePattern(pattern)
	if err != nil {
		return nil, engine.Effectf(engine.Failed, "%q %v", pattern, err)
	}
	if !v.read.covers(want) {
		return nil, v.read.refusal("", want.names)
	}
	return within(ctx, v.disk, nil, func(p *pass) ([]string, error) {
		s := &search{view: v, pass: p, left: maxLooked}
		if err := s.below(nil, want.names); err != nil {
			return nil, err
		}
		slices.Sort(s.found)
		return s.found, nil
	})
}

// A search collects the paths that a pattern matches.
type search struct {
	view  *View
	pass  *pass
	found []string
	left  int // how many more entries are looked at
}

// below adds what rest matches below a folder.
func (s *search) below(folder, rest []string) error {
	n := slices.IndexFunc(rest, isWild)
	if n < 0 {
		return s.add(slices.Concat(folder, rest))
	}
	folder = slices.Concat(folder, rest[:n])
	entries, resolved, err := s.list(folder)
	if err != nil {
		return passOver(err)
	}
	if err := s.look(len(entries)); err != nil {
		return err
	}
	for _, e := range entries {
		name := fold(e.Name)
		if !match(rest[n], name) || !s.view.read.reaches(below(resolved, name)) {
			continue
		}
		if n < len(rest)-1 {
			if e.Type == typeDir || e.Type == typeSymlink {
				err = s.below(below(folder, name), rest[n+1:])
			}
		} else if s.view.read.allows(below(resolved, name)) {
			err = s.keep(below(folder, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns what is in a folder, and where that folder really is: names in
// it are nobody's business where only a link to it is allowed.
func (s *search) list(folder []string) (entries []Entry, resolved []string, err error) {
	if err := s.pass.to(joined(folder)); err != nil {
		return nil, nil, err
	}
	found, err := find(s.pass, &s.view.read, folder, followLast, s.view.read.reaches)
	if err != nil {
		return nil, nil, err
	}
	defer found.close()
	entries, err = found.entries(s.left + 1)
	return entries, found.names, err
}

// add takes in one path if it exists.
func (s *search) add(names []string) error {
	if err := s.look(1); err != nil {
		return err
	}
	if err := s.pass.to(joined(names)); err != nil {
		return err
	}
	end, err := find(s.pass, &s.view.read, names, keepLast, s.view.read.allows)
	if err != nil {
		return passOver(err)
	}
	end.close()
	return s.keep(names)
}

// keep takes in one path, unless it could not be read anyway.
func (s *search) keep(names []string) error {
	if reason, _ := forbidden(names); reason != "" || !s.view.read.allows(names) {
		return nil
	}
	if len(s.found) == MaxEntries {
		return engine.Effectf(engine.TooBig, "more than %d paths match: narrow the pattern", MaxEntries)
	}
	s.found = append(s.found, joined(names))
	return nil
}

// look counts entries that are looked at.
func (s *search) look(n int) error {
	if s.left -= n; s.left < 0 {
		return engine.Effectf(engine.TooBig, "the search looked at %d entries and was not done: narrow the pattern", maxLooked)
	}
	return nil
}

// passOver drops an error that only says that a search gets no further at one
// place.
func passOver(err error) error {
	effect := (*engine.EffectError)(nil)
	if errors.As(err, &effect) && effect.Kind != engine.TimedOut {
		return nil
	}
	return err
}

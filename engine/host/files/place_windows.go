package files

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/starmcp/starmcp/engine"
)

// A place is what a path leads to. It is to be closed.
type place struct {
	names []string // its path as resolved, without any link in it
	said  string   // what it says, where it is a symbolic link
	stat  os.FileInfo
}

// find resolves a path, checks what it leads to, and returns that. Links are
// followed by the system: what they lead to is checked here, and again on what
// was really opened.
func find(p *pass, s *scope, names []string, last lastLink, allowed func(names []string) bool) (*place, error) {
	asked := joined(names)
	fail := func(err error) error { return failure(err, show(names)) }
	if last == keepLast {
		if said, err := os.Readlink(asked); err == nil {
			stat, err := os.Lstat(asked)
			return &place{names: names, said: said, stat: stat}, fail(err)
		}
	}
	real, err := filepath.EvalSymlinks(asked)
	if err != nil {
		return nil, fail(err)
	}
	resolved, bad := split(real)
	if bad != nil {
		return nil, engine.Effectf(engine.Denied, "%s leads to %s, which %s", show(names), printable(real), bad.Message)
	}
	if !allowed(resolved) {
		return nil, s.refusal(show(names)+" leads elsewhere: ", resolved)
	}
	if err := p.to(joined(resolved)); err != nil {
		return nil, err
	}
	stat, err := os.Lstat(real)
	return &place{names: resolved, stat: stat}, fail(err)
}

func (pl *place) close() {}

// open opens a regular file for reading, and tells its size.
func (pl *place) open() (*os.File, int64, error) {
	switch mode := pl.stat.Mode(); {
	case mode.IsDir():
		return nil, 0, engine.Effectf(engine.Failed, "%s is a folder; list it, or read a file in it", show(pl.names))
	case !mode.IsRegular():
		return nil, 0, engine.Effectf(engine.Failed, "%s is no regular file, and only those are read", show(pl.names))
	}
	file, err := pl.openSame()
	if err != nil {
		return nil, 0, failure(err, show(pl.names))
	}
	return file, pl.stat.Size(), nil
}

// openSame opens the place if it still is where it was found, and what it was.
func (pl *place) openSame() (*os.File, error) {
	file, err := os.Open(joined(pl.names))
	if err != nil {
		return nil, err
	}
	stat, err := file.Stat()
	if err == nil && (!os.SameFile(stat, pl.stat) || !slices.Equal(pl.names, opened(file))) {
		err = engine.Effectf(engine.Denied, "%s became something else while it was opened", show(pl.names))
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// opened returns the path that the system reports for an open file.
func opened(file *os.File) []string {
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(windows.Handle(file.Fd()), &buf[0], uint32(len(buf)), 0)
	if err != nil || int(n) > len(buf) {
		return nil
	}
	names, bad := split(strings.TrimPrefix(windows.UTF16ToString(buf[:n]), `\\?\`))
	if bad != nil {
		return nil
	}
	return names
}

// entries lists a folder, sorted by name, at most limit of them.
func (pl *place) entries(limit int) ([]Entry, error) {
	if !pl.stat.IsDir() {
		return nil, failure(windows.ERROR_DIRECTORY, show(pl.names))
	}
	folder, err := pl.openSame()
	if err != nil {
		return nil, failure(err, show(pl.names))
	}
	defer folder.Close()
	found, err := folder.ReadDir(limit)
	if err != nil && err != io.EOF {
		return nil, failure(err, show(pl.names))
	}
	var entries []Entry
	for _, e := range found {
		entries = append(entries, Entry{e.Name(), typeOf(e.Type())})
	}
	slices.SortFunc(entries, byName)
	return entries, nil
}

func typeOf(mode os.FileMode) string {
	switch {
	case mode.IsRegular():
		return typeFile
	case mode.IsDir():
		return typeDir
	case mode&os.ModeSymlink != 0:
		return typeSymlink
	}
	return typeOther
}

// info is the metadata. Owners have no number here: they are 0.
func (pl *place) info() Info {
	return Info{
		Type:   typeOf(pl.stat.Mode()),
		Size:   pl.stat.Size(),
		Mode:   int64(pl.stat.Mode().Perm()),
		Mtime:  pl.stat.ModTime().UTC(),
		Target: pl.said,
	}
}

// usage tells of the drive. Files are not counted here.
func (pl *place) usage() (Usage, error) {
	path := joined(pl.names)
	if !pl.stat.IsDir() {
		path = filepath.Dir(path)
	}
	folder, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return Usage{}, failure(err, show(pl.names))
	}
	var available, total, free uint64
	if err := windows.GetDiskFreeSpaceEx(folder, &available, &total, &free); err != nil {
		return Usage{}, failure(err, show(pl.names))
	}
	return Usage{Total: int64(total), Free: int64(free), Available: int64(available), Used: int64(total - free)}, nil
}

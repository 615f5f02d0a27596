package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	serverFile = "server.star"
	// maxFileSize bounds one Starlark file, in bytes. It also bounds how deep
	// the parser can be made to recurse.
	maxFileSize = 256 << 10
)

// role is what a file in the directory is for.
type role uint8

const (
	roleModule role = iota // can be loaded, is never a tool
	roleTool
	roleServer
	roleFixtures
)

// A tree is the Starlark files of a directory, found and not yet read.
type tree struct {
	fsys    fs.FS
	found   []string // paths
	skipped []string

	real map[string]string // what each folder and file was reached as, by where it really is
}

// scan finds every Starlark file below fsys.
func scan(fsys fs.FS) (*tree, error) {
	t := &tree{fsys: fsys, real: make(map[string]string)}
	if err := t.walk("."); err != nil {
		return nil, err
	}
	return t, nil
}

// walk takes in one folder: what really lies in it before what it links to, so
// that a file with two ways to it keeps its own name.
func (t *tree) walk(dir string) error {
	entries, err := fs.ReadDir(t.fsys, dir)
	if err != nil {
		if dir == "." {
			return err
		}
		t.skip(dir, "cannot be read: "+reason(err))
		return nil
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(isLink(a), isLink(b)) })
	for _, e := range entries {
		if name := e.Name(); !ignored(name) {
			if err := t.enter(path.Join(dir, name), e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tree) enter(p string, e fs.DirEntry) error {
	place, isDir := p, e.IsDir()
	if isLink(e) == 1 {
		info, err := fs.Stat(t.fsys, p)
		if err != nil {
			if strings.HasSuffix(p, ".star") || !strings.Contains(path.Base(p), ".") {
				t.skip(p, "leads nowhere")
			}
			return nil
		}
		isDir = info.IsDir()
		inside := false
		if place, inside = t.resolve(p); isDir && !inside {
			t.skip(p, "is a link to a folder outside of this directory")
			return nil
		}
	}
	if !isDir && !strings.HasSuffix(p, ".star") {
		return nil
	}
	if first, seen := t.real[place]; seen {
		t.skip(p, "is the same as "+first)
		return nil
	}
	t.real[place] = p
	if !isDir {
		t.found = append(t.found, p)
		return nil
	}
	if path.Base(p) == "testdata" {
		return nil
	}
	return t.walk(p)
}

// roleOf tells what a file is for, by its path.
func roleOf(p string) role {
	switch {
	case p == serverFile:
		return roleServer
	case slices.Contains(strings.Split(path.Dir(p), "/"), "lib"):
		return roleModule
	case strings.HasSuffix(p, "_test.star"):
		return roleFixtures
	}
	return roleTool
}

// ignored tells names that are not for loading: hidden ones, and what editors
// leave behind. A file whose name begins with _ can still be loaded by name.
func ignored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "#")
}

func isLink(e fs.DirEntry) int {
	if e.Type()&fs.ModeSymlink != 0 {
		return 1
	}
	return 0
}

func (t *tree) skip(p, why string) { t.skipped = append(t.skipped, p+" "+why) }

// resolve follows links to where p really is. A place outside of the tree is
// told by its link's text, which serves to recognise it, not to open it.
func (t *tree) resolve(p string) (place string, inside bool) {
	const mostLinks = 40
	done, rest := ".", strings.Split(p, "/")
	for links := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		target, err := fs.ReadLink(t.fsys, next)
		if err != nil {
			done = next
			continue
		}
		joined := path.Join(done, target)
		if links++; links > mostLinks || path.IsAbs(target) || joined == ".." || strings.HasPrefix(joined, "../") {
			return path.Join(append([]string{"outside", target}, rest...)...), false
		}
		done, rest = ".", append(strings.Split(joined, "/"), rest...)
	}
	return done, true
}

var bom = []byte("\xef\xbb\xbf")

// readSource returns a file's text, without a byte order mark.
func readSource(fsys fs.FS, p string) ([]byte, error) {
	// Looked at before it is opened: opening a FIFO would wait for a writer.
	if info, err := fs.Stat(fsys, p); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFileSize {
		return nil, fmt.Errorf("the file is over %d KiB", maxFileSize>>10)
	}
	return bytes.TrimPrefix(text, bom), nil
}

// reason is an error without the operation and path that fs puts before it.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

package engine

import (
	"io/fs"
	"slices"
)

// A Snapshot is what there is to load in a directory, read once: plain data, to
// be loaded here or in another process.
type Snapshot struct {
	Files   []SourceFile // sorted by path
	Skipped []string     // files passed over, and why, one line each
	Error   string       // why the directory cannot be read; empty: it could be

	// More returns a file that Files lacks, since nothing but a load statement
	// names it: _shared.star, or one below testdata. Nil: there is none such.
	More func(path string) SourceFile
}

// A SourceFile is one Starlark file.
type SourceFile struct {
	Path  string // relative to the directory, with slashes
	Text  []byte // at most 256 KiB, without a byte order mark; fixtures are not read
	Error string // why it cannot be read; empty: it was
}

// TakeSnapshot finds and reads every Starlark file below fsys.
func TakeSnapshot(fsys fs.FS) *Snapshot {
	tree, err := scan(fsys)
	if err != nil {
		return &Snapshot{Error: reason(err)}
	}
	s := &Snapshot{Skipped: tree.skipped, More: func(path string) SourceFile { return ReadSource(fsys, path) }}
	paths := slices.Sorted(slices.Values(tree.found))
	s.Files = make([]SourceFile, len(paths))
	parallel(len(paths), func(i int) {
		if roleOf(paths[i]) == roleFixtures {
			s.Files[i] = SourceFile{Path: paths[i]}
			return
		}
		s.Files[i] = ReadSource(fsys, paths[i])
	})
	return s
}

// ReadSource reads one Starlark file, without following what it loads.
func ReadSource(fsys fs.FS, path string) SourceFile {
	text, err := readSource(fsys, path)
	if err != nil {
		return SourceFile{Path: path, Error: reason(err)}
	}
	return SourceFile{Path: path, Text: text}
}

// sources is a snapshot by path, with the files that load statements brought in.
type sources struct {
	*Snapshot
	found map[string]SourceFile
	more  map[string]SourceFile
}

func (s *Snapshot) sources() *sources {
	found := make(map[string]SourceFile, len(s.Files))
	for _, f := range s.Files {
		found[f.Path] = f
	}
	return &sources{Snapshot: s, found: found, more: make(map[string]SourceFile)}
}

// paths returns the paths of the files with a role, sorted.
func (s *sources) paths(r role) []string {
	var out []string
	for _, f := range s.Files {
		if roleOf(f.Path) == r {
			out = append(out, f.Path)
		}
	}
	return out
}

// has reports whether a file was found, rather than named by a load statement.
func (s *sources) has(path string) bool {
	_, ok := s.found[path]
	return ok
}

// get returns a file that was found, or fetched before.
func (s *sources) get(path string) SourceFile {
	if f, ok := s.more[path]; ok {
		return f
	}
	return s.found[path]
}

// fetch returns a file that a load statement names. It is not for several
// goroutines at once.
func (s *sources) fetch(path string) SourceFile {
	if s.has(path) && roleOf(path) != roleFixtures {
		return s.found[path]
	}
	f := SourceFile{Path: path, Error: "file does not exist"}
	if s.More != nil {
		f = s.More(path)
	}
	s.more[path] = f
	return f
}

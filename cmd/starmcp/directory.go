package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openDirectory returns the files below dir. That it can be read is known then.
func openDirectory(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("no directory %s%s", dir, didYouMean(trimSlashes(dir), siblings(dir)))
	case err != nil:
		return nil, fmt.Errorf("cannot open %s: %w", dir, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file: name the directory that holds it", dir)
	}
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("cannot read the directory %s: %w", dir, cause(err))
	}
	return os.DirFS(dir), nil
}

// siblings returns the directories beside dir, written the way dir is.
func siblings(dir string) []string {
	dir = trimSlashes(dir)
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		return nil
	}
	before := strings.TrimSuffix(dir, filepath.Base(dir))
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, before+e.Name())
		}
	}
	return names
}

func trimSlashes(dir string) string {
	return strings.TrimRightFunc(dir, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// cause is an error without the operation and path that os puts before it.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

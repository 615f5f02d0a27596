package builtins

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// A ValueError says which part of a value cannot be converted, and why.
type ValueError struct {
	Path    string // as scripts would write it: result.disks[3].ratio
	Problem string // goes on from there: "is NaN, which JSON cannot hold"
}

func (e *ValueError) Error() string {
	if e.Path == "" {
		return "the value " + e.Problem
	}
	return shorten(e.Path) + " " + e.Problem
}

// A path is made while an error travels up, so that it costs nothing where
// there is none.
func problemf(format string, args ...any) *ValueError {
	return &ValueError{Problem: fmt.Sprintf(format, args...)}
}

// within puts what led to the part in front of an error's path.
func within(step string, err error) error {
	if e, ok := err.(*ValueError); ok {
		e.Path = step + e.Path
	}
	return err
}

func atIndex(i int) string { return "[" + strconv.Itoa(i) + "]" }

func atKey(key string) string {
	if isIdentifier(key) {
		return "." + key
	}
	return "[" + quoteShort(key) + "]"
}

func isIdentifier(s string) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// shorten leaves out the middle of a path that nobody would read to the end.
func shorten(path string) string {
	const head, tail = 100, 60
	if len(path) <= head+tail {
		return path
	}
	return strings.ToValidUTF8(path[:head], "") + "..." + strings.ToValidUTF8(path[len(path)-tail:], "")
}

// maxDepth is how deep values may nest, the outermost one counted.
const maxDepth = 100

// A lineage is the way from a value down to a part of it. Cycles are found on
// it and not among all parts seen: shared parts are no fault.
type lineage []starlark.Value

// enter adds a container. The caller leaves it again with pop.
func (l *lineage) enter(v starlark.Value) error {
	if len(*l) == maxDepth {
		return problemf("nests deeper than %d levels", maxDepth)
	}
	switch v.(type) {
	case *starlark.List, *starlark.Dict:
		for _, above := range *l {
			if above == v {
				return problemf("contains itself")
			}
		}
	default:
		v = nil // cannot be changed after it was made, so cannot close a cycle
	}
	*l = append(*l, v)
	return nil
}

func (l *lineage) leave() { *l = (*l)[:len(*l)-1] }

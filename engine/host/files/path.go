package files

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxPath  = 4096 // bytes
	maxDepth = 255  // segments
)

// split reads an absolute path into its segments, in the form in which they are
// compared. Empty segments and "." are dropped. ".." is refused: what it means
// depends on the links before it.
func split(text string) ([]string, *SyntaxError) {
	if text == "" {
		return nil, &SyntaxError{"is empty", "write a full path, such as /var/log"}
	}
	if strings.Contains(text, "\x00") {
		return nil, &SyntaxError{"has a NUL byte", "no path can hold one: leave it out"}
	}
	slashed, ok := absolute(text)
	if !ok {
		return nil, &SyntaxError{"is not an absolute path", "write it in full, " + absoluteForm}
	}
	var names []string
	for name := range strings.SplitSeq(slashed, "/") {
		switch {
		case name == "" || name == ".":
		case name == "..":
			return nil, &SyntaxError{`has a ".." segment`, "write the path that is meant, without it"}
		case misnamed(name, len(names)) != "":
			return nil, &SyntaxError{misnamed(name, len(names)), "name the file itself"}
		default:
			names = append(names, name)
		}
	}
	if len(text) > maxPath || len(names) > maxDepth {
		return nil, &SyntaxError{"is too long", "at most 4096 bytes and 255 segments are read"}
	}
	return names, nil
}

// below is the path of an entry in a folder. It shares nothing with names.
func below(names []string, name string) []string {
	return append(names[:len(names):len(names)], name)
}

// show writes segments as a path, for a reader. Whatever could disturb a
// terminal or a log is quoted.
func show(names []string) string { return printable(joined(names)) }

func printable(text string) string {
	quoted := strconv.Quote(text)
	if utf8.ValidString(text) && len(quoted) == len(text)+2 {
		return text
	}
	return quoted
}

package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Problem is something wrong in a directory of tools. Message never holds the
// position; File is relative to the directory, with slashes.
type Problem struct {
	File    string    `json:"file"`
	Line    int       `json:"line"` // from 1; 0: the file as a whole
	Col     int       `json:"col"`  // from 1; 0: unknown
	Message string    `json:"message"`
	Hint    string    `json:"hint"`    // what to do next; may be empty
	Related []Related `json:"related"` // other places that matter, such as a first definition
	Source  string    `json:"-"`       // the line itself, for reports
}

// Related is another place that a problem is about.
type Related struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
}

// Position returns file:line:col as far as known.
func (p Problem) Position() string { return position(p.File, p.Line, p.Col) }

func position(file string, line, col int) string {
	switch {
	case line == 0:
		return file
	case col == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, col)
}

// Problems is all that is wrong with a directory; as an error it tells all.
type Problems []Problem

func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s", p.Position(), p.Message)
		if p.Hint != "" {
			fmt.Fprintf(&b, " (%s)", p.Hint)
		}
	}
	return b.String()
}

// settle puts problems in the order of their positions, and tells one that came
// up in several places once.
func (ps Problems) settle() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(ps, func(a, b Problem) bool {
		return a.Position() == b.Position() && a.Message == b.Message
	})
}

package files

import (
	"slices"
	"strings"
	"unicode"
)

// A Pattern is a set of paths: an absolute path, in whose segments a "*" stands
// for any run of characters within that segment. It allows the paths that match
// it and all below them, since only the machine could tell a file from a folder
// and a pattern is judged without it. "/" allows everything.
//
// There is no other wildcard: "?", "[" and "{" are themselves.
type Pattern struct {
	names []string // the segments; none for "/"
}

// A SyntaxError says what is wrong with the text of a pattern or path. Message
// reads on after the text itself, as in `"logs" is not an absolute path`.
type SyntaxError struct {
	Message string
	Hint    string // how to write it instead
}

func (e *SyntaxError) Error() string { return e.Message + "; " + e.Hint }

// ParsePattern reads a pattern. A slash at the end and repeated ones are
// dropped. The error is a [*SyntaxError].
func ParsePattern(text string) (Pattern, error) {
	names, bad := split(text)
	if bad == nil {
		bad = misleading(names)
	}
	if bad != nil {
		return Pattern{}, bad
	}
	return Pattern{names}, nil
}

// misleading tells of a pattern that could be read, and would not mean what its
// author had in mind.
func misleading(names []string) *SyntaxError {
	text := joined(names)
	if strings.TrimSpace(text) != text || strings.ContainsFunc(text, unicode.IsControl) {
		return &SyntaxError{"has white space at an end or a control character", "leave it out"}
	}
	if i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, "**") }); i >= 0 {
		return &SyntaxError{`has "**"`, `"*" stands within one segment, and a folder allows all below it: write ` + show(names[:i])}
	}
	if reason, instead := forbidden(names); reason != "" {
		return &SyntaxError{reason, instead}
	}
	if depth := secretDepth(names); wild(names[:depth]) {
		return &SyntaxError{givesAway + `, and is never allowed through "*"`, "name the process, as in /proc/1/" + names[depth-1]}
	}
	return nil
}

func (p Pattern) String() string { return show(p.names) }

// Covers tells whether p allows every path that need allows.
//
// Matching p against need's own text decides that exactly: a "*" in need can
// become any character, and only a "*" in p takes any character.
func (p Pattern) Covers(need Pattern) bool { return p.allows(need.names) }

// allows tells whether names matches p or lies below something that does.
// A secret counts only where p spells it out.
func (p Pattern) allows(names []string) bool {
	secret := secretDepth(names)
	return len(p.names) >= secret && !wild(p.names[:secret]) &&
		len(p.names) <= len(names) && p.agrees(names)
}

// leadsTo tells whether something that matches p may lie below names.
func (p Pattern) leadsTo(names []string) bool {
	return len(names) < len(p.names) && p.agrees(names)
}

// agrees matches as many segments as both have.
func (p Pattern) agrees(names []string) bool {
	for i := range min(len(p.names), len(names)) {
		if !match(p.names[i], names[i]) {
			return false
		}
	}
	return true
}

func wild(names []string) bool { return slices.ContainsFunc(names, isWild) }

func isWild(name string) bool { return strings.Contains(name, "*") }

// match tells whether one segment fits a pattern's. The text's own "*", which
// it has where it is itself a pattern, fits nothing but a "*".
func match(pattern, text string) bool {
	star, retry := -1, 0 // the latest "*", and where in the text to try again after it
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, retry = p, t
			p++
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0: // let that "*" take one more
			retry++
			p, t = star+1, retry
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

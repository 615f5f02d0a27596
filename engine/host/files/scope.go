package files

import (
	"fmt"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// A scope is what one tool may reach in one way.
type scope struct {
	capability string // that allows it, as needs and grants call it
	patterns   []Pattern
}

// permit reads the path that a script named, and refuses one outside the scope.
func (s *scope) permit(path string) ([]string, error) {
	names, bad := split(path)
	if bad != nil {
		return nil, engine.Effectf(engine.Failed, "%q %s; %s", path, bad.Message, bad.Hint)
	}
	if reason, _ := forbidden(names); reason != "" || !s.allows(names) {
		return nil, s.refusal("", names)
	}
	return names, nil
}

func (s *scope) allows(names []string) bool {
	return slices.ContainsFunc(s.patterns, func(p Pattern) bool { return p.allows(names) })
}

// reaches tells whether a walk may touch names: it is allowed, or something
// below it may be.
func (s *scope) reaches(names []string) bool {
	return slices.ContainsFunc(s.patterns, func(p Pattern) bool { return p.allows(names) || p.leadsTo(names) })
}

// covers tells whether one pattern allows all that another does.
func (s *scope) covers(p Pattern) bool {
	return slices.ContainsFunc(s.patterns, func(own Pattern) bool { return own.Covers(p) })
}

// refusal is the error for a path that may not be used, for the agent, who can
// name another, and for whoever wrote the tool. link says how it was come by.
func (s *scope) refusal(link string, names []string) error {
	path := show(names)
	if reason, instead := forbidden(names); reason != "" {
		return engine.Effectf(engine.Denied, "%s%s %s; %s", link, path, reason, instead)
	}
	beyond := fmt.Sprintf("is beyond what this tool may %s (%s)", s.capability, s.list())
	if secretDepth(names) > 0 {
		beyond = givesAway + `, which no folder and no "*" allows`
	}
	return engine.Effectf(engine.Denied, "%s%s %s; it would take needs = {%q: [%q]} in the tool, and the same grant",
		link, path, beyond, s.capability, joined(names))
}

// list names the patterns, as many as an agent will want to read.
func (s *scope) list() string {
	const most = 8
	if len(s.patterns) == 0 {
		return "nothing"
	}
	var texts []string
	for _, p := range s.patterns[:min(len(s.patterns), most)] {
		texts = append(texts, p.String())
	}
	if more := len(s.patterns) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

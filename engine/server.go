package engine

import (
	"fmt"
	"path"
	"slices"
)

// guards are globals of server.star that other versions of starmcp act upon. To
// ignore one that guards a server would open it, so none is ignored.
var guards = []string{
	"authenticate", "describe", "invoke", "on_call", "auth_env", "allowed_origins", "allowed_hosts",
	"limits", "local_caller", "annotations", "structured_text", "list_ttl", "sql",
}

// A server is what server.star says.
type server struct {
	identity Identity
	only     []string // patterns of tool names; nil: all
	grants   Needs
}

// readServer reads an evaluated server.star.
func readServer(f *file) server {
	f.checkTypos(serverGlobals)
	for _, name := range guards {
		if f.globals.Has(name) {
			f.addAt(name, "", "remove it, or use a version of starmcp that knows it", "this version of starmcp does not act on %s", name)
		}
	}
	s := server{
		identity: Identity{Name: f.str("name"), Title: f.str("title"), Version: f.str("version"), Instructions: f.str("instructions")},
		grants:   f.needs("grants"),
	}
	if v, ok := f.globals["tools"]; ok {
		s.only = f.stringList("tools", "", v)
	}
	return s
}

// checkPatterns tells which patterns of tool names are malformed or match none.
func checkPatterns(patterns, names []string, report func(i int, hint, message string)) {
	for i, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			report(i, `write a name, or a pattern such as "disk_*"`, fmt.Sprintf("%q is no pattern of tool names", p))
			continue
		}
		if !slices.ContainsFunc(names, func(n string) bool { return matches([]string{p}, n) }) {
			report(i, unknownHint(p, names), fmt.Sprintf("%q matches no tool", p))
		}
	}
}

// matches reports whether one of the patterns matches a tool's name.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}

package engine

import (
	"slices"

	"go.starlark.net/starlark"
)

// Annotations are MCP's hints, as far as they are known. Read-only and open
// world are derived from what a tool needs: they are facts, not promises.
// Source: schema/2026-07-28/schema.ts, ToolAnnotations.
type Annotations struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    *bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool  `json:"destructiveHint,omitempty"`
	Idempotent  *bool  `json:"idempotentHint,omitempty"`
	OpenWorld   *bool  `json:"openWorldHint,omitempty"`
}

var (
	writingKeys = []string{"run_write", "net_write"}               // needs that make a tool mutating
	outerKeys   = []string{"net", "net_write", "run", "run_write"} // needs that reach beyond this machine
	vagueKeys   = []string{"run", "sql"}                           // needs that may, or may not
)

// Mutating reports whether a tool with these needs can change something.
func (n Needs) Mutating() bool { return n.any(writingKeys) }

func (n Needs) any(keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return len(n[k]) > 0 })
}

// only reports whether n needs some of these keys that could reach outside, and
// no other such.
func (n Needs) only(keys []string) bool {
	return n.any(keys) && !slices.ContainsFunc(outerKeys, func(k string) bool { return len(n[k]) > 0 && !slices.Contains(keys, k) })
}

// annotations reads what a tool's file claims and derives the rest. A claim
// that contradicts the needs is a problem.
func (f *file) annotations(needs Needs) Annotations {
	var a Annotations
	if d := f.dict("annotations"); d != nil {
		for _, item := range d.Items() {
			f.annotation(&a, string(item[0].(starlark.String)), item[1])
		}
	}
	readOnly, openWorld := !needs.Mutating(), needs.any(outerKeys)
	if a.ReadOnly != nil && *a.ReadOnly != readOnly {
		f.addAt("annotations", "/readOnlyHint", "leave it out: it is derived from needs", "readOnlyHint is %s, but by its needs the tool %s",
			starlark.Bool(*a.ReadOnly), map[bool]string{true: "can change nothing", false: "can change things"}[readOnly])
	}
	if a.OpenWorld != nil && *a.OpenWorld != openWorld && !needs.only(vagueKeys) {
		f.addAt("annotations", "/openWorldHint", "leave it out: it is derived from needs", "openWorldHint is %s, but by its needs the tool %s",
			starlark.Bool(*a.OpenWorld), map[bool]string{true: "reaches beyond this machine", false: "stays on this machine"}[openWorld])
	}
	a.ReadOnly = &readOnly
	if a.OpenWorld == nil {
		a.OpenWorld = &openWorld
	}
	return a
}

func (f *file) annotation(a *Annotations, name string, v starlark.Value) {
	hints := map[string]**bool{
		"readOnlyHint": &a.ReadOnly, "destructiveHint": &a.Destructive,
		"idempotentHint": &a.Idempotent, "openWorldHint": &a.OpenWorld,
	}
	if name == "title" {
		s, ok := v.(starlark.String)
		if !ok {
			f.addAt("annotations", "/title", "", "title: got %s, want a string", v.Type())
		}
		a.Title = string(s)
		return
	}
	hint, ok := hints[name]
	if !ok {
		f.addAt("annotations", "/"+name, unknownHint(name, hintNames), "annotations has no %q", name)
		return
	}
	b, ok := v.(starlark.Bool)
	if !ok {
		f.addAt("annotations", "/"+name, "", "%s: got %s, want True or False", name, v.Type())
		return
	}
	value := bool(b)
	*hint = &value
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/starmcp/starmcp/engine"
)

// An inventory prints a table of tools for people.
type inventory struct {
	w      io.Writer
	colour palette
}

// whereScriptsRun says what an isolation comes to.
var whereScriptsRun = map[string]string{
	"none":    "\nScripts run in this process. Their limits on time, steps and output hold;\nlimits on memory are not enforced.\n",
	"process": "\nScripts run in processes of their own, and all their limits hold.\n",
}

func (v inventory) print(dir string, table engine.Toolset, isolation string) {
	id := named(table.Catalogue().Identity)
	fmt.Fprintf(v.w, "%s %s: %s in %s\n", printable(cmp.Or(id.Title, id.Name)), printable(id.Version), count(len(table.Tools()), "tool"), dir)
	var needs []engine.Coverage
	for _, t := range table.Tools() {
		v.tool(t)
		needs = append(needs, t.Coverage...)
	}
	fmt.Fprint(v.w, whereScriptsRun[isolation])
	v.missing(needs)
}

// missing says what becomes of needs that are not granted, if there are any.
func (v inventory) missing(needs []engine.Coverage) {
	n, flags := 0, make(map[string]bool)
	for _, c := range needs {
		if c.Grant == "" {
			n++
			flags[grantFlag(c.Capability)+"=..."] = true
		}
	}
	if n > 0 {
		fmt.Fprintf(v.w, "\n%s: the directory is not served without.\nAllow it with grants in server.star, or with %s.\n",
			v.colour.red("Not granted: "+count(n, "need")), strings.Join(slices.Sorted(maps.Keys(flags)), " and "))
	}
}

// tool prints one tool: what it is, what it may do, and what is special.
func (v inventory) tool(t *engine.Tool) {
	title := ""
	if t.Descriptor.Title != "" {
		title = "  " + printable(t.Descriptor.Title)
	}
	fmt.Fprintf(v.w, "\n%s%s\n", t.Descriptor.Name, title)
	if line := firstLine(t.Descriptor.Description); line != "" {
		fmt.Fprintf(v.w, "    %s\n", printable(line))
	}
	fmt.Fprintf(v.w, "    %s\n", strings.Join(behaviour(t.Annotations), ", "))
	v.needs(t.Coverage)
	if special := specialLimits(t.Limits); len(special) > 0 {
		fmt.Fprintf(v.w, "    limits: %s\n", strings.Join(special, ", "))
	}
}

// needs prints each need with the grant that allows it.
func (v inventory) needs(coverage []engine.Coverage) {
	columns := tabwriter.NewWriter(v.w, 0, 0, 2, ' ', 0)
	for _, c := range coverage {
		fmt.Fprintf(columns, "    %s %s\t%s\n", c.Capability, printable(c.Pattern), printable(grantedBy(c)))
	}
	columns.Flush()
}

// grantedBy tells which grant allows a need.
func grantedBy(c engine.Coverage) string {
	if c.Grant == "" {
		return "NOT GRANTED"
	}
	return fmt.Sprintf("granted by %s (%s)", c.Grant, c.Source)
}

// behaviour says a tool's annotations in words.
func behaviour(a engine.Annotations) []string {
	var words []string
	say := func(hint *bool, yes, no string) {
		switch {
		case hint == nil:
		case *hint:
			words = append(words, yes)
		case no != "":
			words = append(words, no)
		}
	}
	say(a.ReadOnly, "read-only", "changes things")
	say(a.Destructive, "destructive", "")
	say(a.Idempotent, "idempotent", "")
	say(a.OpenWorld, "reaches other machines", "this machine only")
	return words
}

// specialLimits names the limits that differ from the default ones.
func specialLimits(l engine.Limits) []string {
	var special []string
	differ := func(is bool, format string, value any) {
		if is {
			special = append(special, fmt.Sprintf(format, value))
		}
	}
	d := engine.DefaultLimits
	differ(l.Timeout != d.Timeout, "timeout %s", l.Timeout)
	differ(l.Steps != d.Steps, "%d steps", l.Steps)
	differ(l.Memory != d.Memory, "memory %d bytes", l.Memory)
	differ(l.Output != d.Output, "output %d bytes", l.Output)
	differ(l.Print != d.Print, "print %d bytes", l.Print)
	return special
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

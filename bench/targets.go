package main

import (
	"fmt"
	"io"
)

// A target is a ratio that starmcp is to reach.
type target struct {
	section    string
	name, base string
	atLeast    float64
}

var targets = []target{
	{"call", "starmcp", baseline, 7},
	{"list", "starmcp", baseline, 50},
	{"list", "starmcp", "mcp-go", 10},
}

// printTargets tells which targets were reached, of those that were measured.
// Results are keyed by their sections' names.
func printTargets(w io.Writer, results map[string]*result) {
	for _, t := range targets {
		res, ok := results[t.section]
		if !ok {
			continue
		}
		verdict := "reached"
		ratio := res.ratio(t.name, t.base)
		if ratio < t.atLeast {
			verdict = "missed"
		}
		fmt.Fprintf(w, "\n%s: %s is %.1f times as fast as %s, target %.0f: %s", t.section, t.name, ratio, t.base, t.atLeast, verdict)
	}
	fmt.Fprintln(w)
}

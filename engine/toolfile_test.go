package engine

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestNames has names that MCP allows, among them those that several hosts do
// not, and names that it does not.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, problem, warning string }{
		{"disk_usage", "", ""},
		{"Disk-2", "", ""},
		{strings.Repeat("n", 64), "", ""},
		{strings.Repeat("n", 65), "", "over 64"},
		{strings.Repeat("n", 128), "", "over 64"},
		{strings.Repeat("n", 129), "cannot be the name of a tool", "over 64"},
		{"net.check", "", "dot"},
		{"net/check", "cannot be the name of a tool", ""},
		{"net check", "cannot be the name of a tool", ""},
		{"größe", "cannot be the name of a tool", ""},
		{"check\n", "cannot be the name of a tool", ""},
		{"check\x00", "cannot be the name of a tool", ""},
	} {
		text := fmt.Sprintf("\"\"\"A tool.\"\"\"\nname = %s\ndef call(ctx):\n    return 1\n", strconv.QuoteToASCII(c.name))
		report := Load(mapFS(map[string]string{"tool.star": text, "tool_test.star": ""}), Options{})
		for _, list := range []struct {
			what string
			got  Problems
			want string
		}{{"problems", report.Problems, c.problem}, {"warnings", report.Warnings, c.warning}} {
			if (len(list.got) > 0) != (list.want != "") || list.want != "" && (!strings.Contains(list.got[0].Message, list.want) || list.got[0].Line != 2) {
				t.Errorf("%q: got the %s %v, want one of %q", c.name, list.what, list.got, list.want)
			}
		}
		if (report.Table == nil) != (c.problem != "") {
			t.Errorf("%q: got a table: %t", c.name, report.Table != nil)
		}
	}
}

// Of two tools with the same name, none wins, in whatever order they are read.
func TestSameNames(t *testing.T) {
	tool := func(name string) string {
		return "\"\"\"A tool.\"\"\"\nname = \"" + name + "\"\ndef call(ctx):\n    return 1\n"
	}
	for _, names := range [][2]string{{"check", "check"}, {"check", "Check"}, {"CHECK", "check"}} {
		report := Load(mapFS(map[string]string{"b.star": tool(names[1]), "net/a.star": tool(names[0]), "other.star": tool("other")}), Options{})
		if report.Table != nil || len(report.Problems) != 1 {
			t.Errorf("%v: got %v", names, report.Problems)
			continue
		}
		p := report.Problems[0]
		want := fmt.Sprintf("net/a.star:2:1: the tool %q is defined twice, first in b.star", names[0])
		if got := p.Position() + ": " + p.Message; got != want || len(p.Related) != 1 || p.Related[0].File != "b.star" || p.Related[0].Line != 2 {
			t.Errorf("%v: got %s %v", names, got, p.Related)
		}
	}
}

package argcases_test

import (
	"testing"

	"github.com/starmcp/starmcp/engine/schema/argcases"
)

func TestGroups(t *testing.T) {
	cases, names := 0, make(map[string]bool)
	for _, g := range argcases.Groups() {
		if names[g.Name] || g.Name == "" || g.Schema == "" || len(g.Cases) == 0 {
			t.Errorf("group %q is incomplete or occurs twice", g.Name)
		}
		names[g.Name] = true
		for _, c := range g.Cases {
			cases++
			if (c.Want == "") == (c.Error == "") {
				t.Errorf("line %d: want one of a value and an error", c.Line)
			}
		}
	}
	if cases < 150 {
		t.Errorf("only %d cases", cases)
	}
}

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[2,"x"]}`, `{"b":[2,"x"],"a":1}`, true},
		{`1.0`, `1.00`, true},
		{`1e3`, `1000.0`, true},
		{`-0`, `0`, true},
		{`1`, `1.0`, false},
		{`1`, `"1"`, false},
		{`[1]`, `[1,2]`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`null`, `null`, true},
		{`9007199254740993`, `9007199254740992`, false},
	} {
		if got := argcases.Same(tc.a, tc.b); got != tc.want {
			t.Errorf("Same(%s, %s) = %v", tc.a, tc.b, got)
		}
	}
}

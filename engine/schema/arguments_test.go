package schema_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine/schema"
	"github.com/starmcp/starmcp/engine/schema/argcases"
)

func TestBind(t *testing.T) {
	for _, g := range argcases.Groups() {
		in := input(t, g.Schema)
		for _, c := range g.Cases {
			// The library walks maps: a message must not depend on their order.
			for range 10 {
				bound, err := in.Bind(t.Context(), []byte(c.Arguments))
				if !checkCase(t, g, c, bound, err) {
					break
				}
			}
		}
	}
}

func checkCase(t *testing.T, g argcases.Group, c argcases.Case, bound schema.Bound, err error) bool {
	t.Helper()
	got, want := "", c.Error
	if err != nil {
		got = err.Error()
	} else {
		got = string(bound.Arguments.AppendJSON(nil))
	}
	if c.Want != "" {
		want = c.Want
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, line %d: %s\n-want +got\n%s", g.Name, c.Line, c.Arguments, diff)
		return false
	}
	if !slices.Equal(c.Notes, bound.Notes) {
		t.Errorf("%s, line %d: %s: got the notes %q, want %q", g.Name, c.Line, c.Arguments, bound.Notes, c.Notes)
		return false
	}
	var notObject *schema.NotObjectError
	if errors.As(err, &notObject) != c.Refused {
		t.Errorf("%s, line %d: %s: got the error %T", g.Name, c.Line, c.Arguments, err)
		return false
	}
	return true
}

func input(tb testing.TB, text string) *schema.Input {
	tb.Helper()
	in, faults := schema.CompileInput(parse(tb, text))
	if faults != nil {
		tb.Fatalf("%s: %v", text, faults)
	}
	return in
}

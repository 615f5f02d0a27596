package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
)

// TestFaults reads testdata/faults.txt, which says what its lines mean.
func TestFaults(t *testing.T) {
	text, err := os.ReadFile("testdata/faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "\n-> ")[1:]
	if len(cases) < 100 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, c := range cases {
		text, want, _ := strings.Cut(c, "\n")
		want, _, _ = strings.Cut(want, "\n\n")
		for range 3 {
			if diff := cmp.Diff(strings.TrimSpace(want), report(t, text)); diff != "" {
				t.Errorf("%s\n-want +got\n%s", text, diff)
				break
			}
		}
	}
}

// report compiles a schema and writes down what there is to say of it.
func report(t *testing.T, text string) string {
	doc := parse(t, text)
	in, faults := schema.CompileInput(doc)
	var lines []string
	for _, f := range faults {
		lines = append(lines, "! "+line(f))
	}
	if (in == nil) != (len(faults) > 0) {
		t.Errorf("%s: got both, or neither, of a schema and faults", text)
	}
	if in != nil {
		lines = append(lines, "ok")
		for _, f := range in.Warnings() {
			lines = append(lines, "? "+line(f))
		}
	}
	return strings.Join(lines, "\n")
}

func line(f schema.Fault) string {
	text := f.Pointer + ": " + f.Message
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	return text
}

func parse(tb testing.TB, text string) jsontree.Node {
	tb.Helper()
	doc, err := jsontree.Parse([]byte(text), jsontree.Caps{})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return doc
}

func TestSchemasOutOfBounds(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 65) + "{}" + strings.Repeat("}", 65)
	wide := `{"enum":[` + strings.Repeat("1,", 20_000) + `1]}`
	for _, tc := range []struct{ text, want string }{
		{`{"properties":{"a":` + deep + `}}`, "the schema is nested deeper than 64 levels"},
		{`{"properties":{"a":` + wide + `}}`, "the schema has more than 20,000 values"},
		{`{"description":"` + strings.Repeat("x", 600_000) + `"}`, "the schema is larger than 524,288 bytes"},
	} {
		in, faults := schema.CompileInput(parse(t, tc.text))
		if in != nil || len(faults) != 1 || faults[0].Message != tc.want {
			t.Errorf("got %v, want %s", faults, tc.want)
		}
	}
}

func TestSchemaIsNoObject(t *testing.T) {
	for _, text := range []string{`true`, `[]`, `"object"`, `null`} {
		if in, faults := schema.CompileInput(parse(t, text)); in != nil || len(faults) != 1 {
			t.Errorf("input %s: got %v", text, faults)
		}
		if out, faults := schema.CompileOutput(parse(t, text)); out != nil || len(faults) != 1 {
			t.Errorf("output %s: got %v", text, faults)
		}
	}
}

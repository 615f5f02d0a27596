package clients

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// An outputTool is a tool under testdata/tools/output: one kind of schema.
type outputTool struct {
	name   string
	value  string // what it answers in mode success
	object bool   // its schema's type is exactly "object"
	typed  bool   // its schema has a type at all
}

var outputTools = []outputTool{
	{"output_object", `{"city": "Zürich", "inhabitants": 443037}`, true, true},
	{"output_array", `["a", "b", "c"]`, false, true},
	{"output_scalar", `"forty-two"`, false, true},
	{"output_union", `42`, false, false},
	{"output_ref", `{"name": "root", "children": [{"name": "leaf"}]}`, false, false},
}

// TestOutputSchemas lists and calls tools with every kind of output schema, in
// every revision, ending in every way. No client may throw.
func TestOutputSchemas(t *testing.T) {
	overBoth(t, toolsDir, func(t *testing.T, where endpoint) {
		for _, l := range libraries {
			for _, revision := range revisions {
				t.Run(l.name+"/"+revision, func(t *testing.T) {
					p := l.connect(t, where, revision)
					if p.revision() != revision {
						t.Fatalf("the client speaks %s", p.revision())
					}
					checkOutputSchemas(t, p, l)
					for _, o := range outputTools {
						t.Run(o.name, func(t *testing.T) { checkOutputs(t, p, o) })
					}
				})
			}
		}
	})
}

func checkOutputSchemas(t *testing.T, p peer, l library) {
	tools, err := p.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]tool{}
	for _, entry := range tools {
		listed[entry.Name] = entry
	}
	for _, o := range outputTools {
		entry, ok := listed[o.name]
		if !ok {
			t.Errorf("%s is not listed", o.name)
			continue
		}
		want := hasStructured(p.revision())
		if l.dropsUntyped && !o.typed && !wraps(p.revision()) {
			want = false
		}
		checkOutputSchema(t, p.revision(), entry, want)
	}
}

// checkOutputSchema expects an object's schema, whatever the tool declares,
// where structuredContent must be an object.
func checkOutputSchema(t *testing.T, revision string, entry tool, want bool) {
	if (entry.OutputSchema != nil) != want {
		t.Errorf("%s has output schema %s", entry.Name, entry.OutputSchema)
		return
	}
	if !want || !wraps(revision) {
		return
	}
	var schema struct{ Type any }
	if err := json.Unmarshal(entry.OutputSchema, &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Type != "object" {
		t.Errorf("%s has output schema %s, want an object's", entry.Name, entry.OutputSchema)
	}
}

func checkOutputs(t *testing.T, p peer, o outputTool) {
	call := func(mode string) *answer {
		a, err := p.call(t.Context(), o.name, map[string]any{"mode": mode})
		if err != nil {
			t.Fatalf("%s: the client throws: %v", mode, err)
		}
		return a
	}
	checkSuccess(t, p.revision(), o, call("success"))
	for mode, message := range map[string]string{"failure": "asked to fail", "too_big": "1 MiB"} {
		a := call(mode)
		if !a.IsError || a.StructuredContent != nil || !strings.Contains(text(a), message) {
			t.Errorf("%s: isError %v, structuredContent %.100s, text %.200q", mode, a.IsError, a.StructuredContent, text(a))
		}
		if len(text(a)) > 128<<10 {
			t.Errorf("%s: %d bytes of text", mode, len(text(a)))
		}
	}
}

func checkSuccess(t *testing.T, revision string, o outputTool, a *answer) {
	if a.IsError {
		t.Fatalf("success: isError: %s", text(a))
	}
	if (a.StructuredContent != nil) != hasStructured(revision) {
		t.Fatalf("success: structuredContent is %s", a.StructuredContent)
	}
	want := o.value
	if wraps(revision) && !o.object {
		want = `{"result": ` + want + `}`
	}
	if hasStructured(revision) {
		checkJSON(t, "structuredContent", a.StructuredContent, want)
	}
	if revision != revisions[0] {
		checkJSON(t, "text", json.RawMessage(text(a)), o.value)
	}
}

// hasStructured tells whether results of the revision have structuredContent.
func hasStructured(revision string) bool { return revision >= "2025-06-18" }

// wraps tells whether structuredContent must be an object in the revision.
func wraps(revision string) bool { return hasStructured(revision) && revision < "2026-07-28" }

// checkJSON compares the values of two JSON texts.
func checkJSON(t *testing.T, what string, got json.RawMessage, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Errorf("success: %s is %q: %v", what, got, err)
		return
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("success: %s is %s, want %s", what, got, want)
	}
}

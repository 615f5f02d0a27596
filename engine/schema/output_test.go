package schema_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
)

func output(t *testing.T, text string) *schema.Output {
	t.Helper()
	out, faults := schema.CompileOutput(parse(t, text))
	if faults != nil {
		t.Fatalf("%s: %v", text, faults)
	}
	return out
}

func TestOutputIsPublishedAsWritten(t *testing.T) {
	for text, objectOnly := range map[string]bool{
		`{"type":"object","properties":{"b":{},"a":{}}}`:       true,
		`{"properties":{"a":{}}}`:                              false,
		`{"type":["object"]}`:                                  false,
		`{"type":["object","null"]}`:                           false,
		`{"type":"array","items":{"type":"integer"}}`:          false,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`: false,
		`{}`: false,
	} {
		out := output(t, text)
		if got := string(out.Published()); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
		if out.ObjectOnly() != objectOnly {
			t.Errorf("%s: object only is %v", text, out.ObjectOnly())
		}
	}
}

func TestOutputFaults(t *testing.T) {
	out, faults := schema.CompileOutput(parse(t, `{"type":"objct","properties":{"a":{"$ref":"#/no"},"b":{"type":"integer","default":"x"}}}`))
	var got []string
	for _, f := range faults {
		got = append(got, f.Pointer)
	}
	if want := "/type /properties/a/$ref /properties/b/default"; out != nil || strings.Join(got, " ") != want {
		t.Errorf("got faults at %v, want %s", got, want)
	}
}

func TestValidate(t *testing.T) {
	for _, tc := range []struct{ schema, result, want string }{
		{`{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}`, `{"t":1.5,"u":2}`, ""},
		{`{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}`, `{"t":"warm"}`,
			"the result does not fit the output schema: /t: expected a number, got a string of 4 characters"},
		{`{"properties":{"l":{"type":"array"}}}`, `{"l":"[1]"}`,
			"the result does not fit the output schema: /l: expected an array, got a string of 3 characters (send the JSON in the string as it is, without quotes)"},
		{`{"properties":{"l":{"type":"array"}}}`, `{"l":"[1"}`,
			"the result does not fit the output schema: /l: expected an array, got a string of 2 characters (the string holds no valid JSON)"},
		{`{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}`, `{}`,
			"the result does not fit the output schema: /t: expected a number, got nothing; it is required"},
		{`{"type":"object","properties":{"t":{"type":"integer"}},"additionalProperties":false}`, `{"t":"1","x":null}`,
			`the result does not fit the output schema: /t: expected an integer, got a string of 1 character; /x: unknown property (known: t)`},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,2.0,3]`, ""},
		{`{"type":"array","items":{"type":"integer"}}`, `[1,"2"]`,
			"the result does not fit the output schema: /1: expected an integer, got a string of 1 character"},
		{`{"type":"object"}`, `null`, "the result does not fit the output schema: expected an object, got null"},
		{`{"type":["string","null"]}`, `null`, ""},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `true`,
			"the result does not fit the output schema: expected a string or an integer, got a boolean"},
		{`{}`, `[{"any":[1,null]}]`, ""},
	} {
		err := output(t, tc.schema).Validate(t.Context(), parse(t, tc.result))
		got := ""
		if err != nil {
			got = err.Error()
		}
		var broken *schema.OutputError
		if got != tc.want || (err != nil) != errors.As(err, &broken) {
			t.Errorf("%s, %s:\n got %s (%T)\nwant %s", tc.schema, tc.result, got, err, tc.want)
		}
	}
}

// Nothing is mended in what a tool returns, and no default is filled in.
func TestValidateChangesNothing(t *testing.T) {
	doc := parse(t, `{"a":1.0}`)
	if err := output(t, `{"properties":{"a":{"type":"integer"},"b":{"default":1}}}`).Validate(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
	if got := string(doc.AppendJSON(nil)); got != `{"a":1.0}` {
		t.Errorf("the result became %s", got)
	}
}

// A schema whose alternatives contain each other takes the library twice as
// long with every level.
func TestNoEndlessChecks(t *testing.T) {
	const expression = `{"$ref":"#/$defs/e","$defs":{"e":{"oneOf":[
		{"type":"object","properties":{"op":{"const":"and"},"args":{"type":"array","items":{"$ref":"#/$defs/e"}}},"required":["op","args"]},
		{"type":"object","properties":{"op":{"const":"or"},"args":{"type":"array","items":{"$ref":"#/$defs/e"}}},"required":["op","args"]},
		{"type":"string"}]}}}`
	nested := func(levels int, leaf string) string {
		return strings.Repeat(`{"op":"or","args":[`, levels) + leaf + strings.Repeat("]}", levels)
	}
	out := output(t, expression)
	for _, tc := range []struct {
		doc  string
		want string // of the error; empty: valid
	}{
		{nested(6, `"x"`), ""},
		{nested(6, `5`), "the result does not fit the output schema: " + strings.Repeat("/args/0", 6) + ": expected an object or a string, got an integer"},
		{nested(30, `"x"`), ""},
		{nested(30, `5`), "checking the JSON of the result against its schema takes more than 100,728 steps: send less, or nest it less deeply"},
	} {
		err := out.Validate(t.Context(), parse(t, tc.doc))
		var over *jsontree.CapError
		switch {
		case tc.want == "" && err != nil, tc.want != "" && (err == nil || err.Error() != tc.want):
			t.Errorf("%.40s: got %v, want %s", tc.doc, err, tc.want)
		case strings.HasPrefix(tc.want, "checking") && !errors.As(err, &over):
			t.Errorf("%.40s: got a %T", tc.doc, err)
		}
	}
}

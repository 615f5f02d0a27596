package schema_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
	"github.com/starmcp/starmcp/engine/schema/argcases"
)

// library compiles a published schema anew, as a second opinion.
func library(tb testing.TB, published []byte) *jsonschema.Schema {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(published))
	if err != nil {
		tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///schema", doc); err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile("mem:///schema")
	if err != nil {
		tb.Fatalf("%s: %v", published, err)
	}
	return compiled
}

// exotic are schemas beside those of the cases: keywords whose effect depends on
// other keywords, and alternatives within alternatives.
var exotic = []string{
	`{"allOf":[{"properties":{"a":{"type":"integer"}}}],"unevaluatedProperties":{"type":"boolean"}}`,
	`{"properties":{"a":{"$dynamicRef":"#n"}},"$defs":{"x":{"$dynamicAnchor":"n","type":["integer","null"]}}}`,
	`{"properties":{"a":{"prefixItems":[{"type":"integer"}],"unevaluatedItems":false,"contains":{"type":"string"},"maxContains":1,"minContains":0}}}`,
	`{"properties":{"a":{"not":{"type":"string"}},"b":{"if":{"type":"integer"},"then":{"minimum":2},"else":{"type":"string","minLength":1}}}}`,
	`{"properties":{"a":{"anyOf":[{"oneOf":[{"type":"integer"},{"type":"number","maximum":3}]},{"type":"array","items":{"$ref":"#/properties/a"}}]}}}`,
	`{"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}},"required":["b"]}},"properties":{"a":{"default":1}}}`,
	`{"properties":{"a":{"type":"object","minProperties":1,"maxProperties":2,"propertyNames":{"maxLength":2},"patternProperties":{"^x":{"type":"integer"}}}}}`,
	`{"properties":{"a":{"enum":[1,"1",[1,{"a":2}],null,1e2]},"b":{"const":{"a":[1.0]}}}}`,
	`{"properties":{"a":{"type":"number","multipleOf":0.1,"exclusiveMinimum":0,"maximum":1e2},"b":{"uniqueItems":true}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/a","type":"string"}},"definitions":{"a":{"items":[{"type":"integer"}],"additionalItems":{"type":"boolean"}}}}`,
}

func schemas() []string {
	list := exotic
	for _, g := range argcases.Groups() {
		list = append(list, g.Schema)
	}
	return list
}

// FuzzBind checks for any arguments that nothing panics, that what a tool gets
// is valid, and that valid arguments are what it gets, defaults and the notation
// of integers aside.
func FuzzBind(f *testing.F) {
	groups := argcases.Groups()
	for i, g := range groups {
		for _, c := range g.Cases {
			f.Add(len(exotic)+i, []byte(c.Arguments))
		}
	}
	for i := range exotic {
		for _, arguments := range []string{`{"a":1,"b":2}`, `{"a":"1","b":"x"}`, `{"a":[1,"x"],"b":[1,1.0]}`, `{"a":{"x":1,"y":2,"zzz":3}}`, `{"a":1e2,"b":{"a":[1]}}`, `{"a":0.3}`} {
			f.Add(i, []byte(arguments))
		}
	}
	texts := schemas()
	inputs := make([]*schema.Input, len(texts))
	judges := make([]*jsonschema.Schema, len(texts))
	for i, text := range texts {
		inputs[i] = input(f, text)
		judges[i] = library(f, inputs[i].Published())
	}
	f.Fuzz(func(t *testing.T, i int, raw []byte) {
		if i < 0 || i >= len(texts) {
			return
		}
		checkBind(t, inputs[i], judges[i], raw)
	})
}

func checkBind(t *testing.T, in *schema.Input, judge *jsonschema.Schema, raw []byte) {
	bound, err := in.Bind(t.Context(), raw)
	sent, parseErr := jsontree.Parse(raw, jsontree.ArgumentCaps)
	valid := parseErr == nil && sent.Kind == jsontree.Object && judge.Validate(sent.Any()) == nil
	if err != nil {
		var failed *schema.ArgumentsError
		if errors.As(err, &failed) && len(failed.Faults) == 0 {
			t.Errorf("%q: refused without a fault", raw)
		}
		if valid && !errors.As(err, &failed) { // a default may break what was valid
			t.Errorf("%q is valid, and was refused: %v", raw, err)
		}
		return
	}
	if err := judge.Validate(bound.Arguments.Any()); err != nil {
		t.Errorf("%q became %s, which is not valid: %v", raw, bound.Arguments.AppendJSON(nil), err)
	}
	if !valid {
		return
	}
	if len(bound.Notes) > 0 {
		t.Errorf("%q is valid, and there are notes: %q", raw, bound.Notes)
	}
	if !keeps(&sent, &bound.Arguments) {
		t.Errorf("%q is valid, and became %s", raw, bound.Arguments.AppendJSON(nil))
	}
}

// keeps tells whether all of a is in b, in the same order.
func keeps(a, b *jsontree.Node) bool {
	if a.Kind == jsontree.Number && b.Kind == jsontree.Number && strings.ContainsAny(a.Text, ".eE") {
		return true // it may have become plain digits, which the judge has seen
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) > len(b.Items) {
		return false
	}
	for i := range a.Items {
		if a.Kind == jsontree.Object && a.Names[i] != b.Names[i] || !keeps(&a.Items[i], &b.Items[i]) {
			return false
		}
	}
	return true
}

// FuzzCompile checks for any schema that nothing panics, and that one without
// faults can be used.
func FuzzCompile(f *testing.F) {
	for _, text := range schemas() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := jsontree.Parse(text, jsontree.Caps{})
		if err != nil {
			return
		}
		in, faults := schema.CompileInput(doc)
		if (in == nil) != (len(faults) > 0) {
			t.Fatalf("%q: got both, or neither, of a schema and faults", text)
		}
		if in == nil {
			return
		}
		judge := library(t, in.Published())
		for _, raw := range []string{`{}`, `{"a":"1","b":[null,"x",1.0],"c":{"d":"true"}}`} {
			checkBind(t, in, judge, []byte(raw))
		}
	})
}

package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine/schema"
)

func TestPublished(t *testing.T) {
	for _, tc := range []struct{ author, want string }{
		{`{}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{`{"properties":{"b":{},"a":{"default":1.0}}}`, `{"type":"object","properties":{"b":{},"a":{"default":1.0}},"additionalProperties":false}`},
		{`{"required":[],"type":"object","title":"x"}`, `{"required":[],"type":"object","title":"x","properties":{},"additionalProperties":false}`},
		{`{"additionalProperties":true}`, `{"type":"object","additionalProperties":true,"properties":{}}`},
		{`{"additionalProperties":false,"properties":{}}`, `{"type":"object","additionalProperties":false,"properties":{}}`},
		{`{"allOf":[{}]}`, `{"type":"object","allOf":[{}],"properties":{}}`},
		{`{"anyOf":[{}]}`, `{"type":"object","anyOf":[{}],"properties":{}}`},
		{`{"oneOf":[{}]}`, `{"type":"object","oneOf":[{}],"properties":{}}`},
		{`{"if":{}}`, `{"type":"object","if":{},"properties":{}}`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{}}}`, `{"type":"object","$ref":"#/$defs/a","$defs":{"a":{}},"properties":{}}`},
		{`{"patternProperties":{}}`, `{"type":"object","patternProperties":{},"properties":{}}`},
		{`{"unevaluatedProperties":false}`, `{"type":"object","unevaluatedProperties":false,"properties":{}}`},
		{`{"properties":{"a":{"type":"object"}}}`, `{"type":"object","properties":{"a":{"type":"object"}},"additionalProperties":false}`},
	} {
		if got := string(input(t, tc.author).Published()); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.author, got, tc.want)
		}
	}
}

func TestProperties(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		open             bool
	}{
		{
			"own, in their order",
			`{"properties":{"b":{"type":"string"},"a":{"default":1},"c":{"writeOnly":true}},"required":["b"]}`,
			"b required, a default, c writeOnly", false,
		},
		{"none", `{}`, "", false},
		{"unknown ones pass", `{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`, "a", true},
		{"patterns pass", `{"properties":{"a":{}},"patternProperties":{"^x":{}},"additionalProperties":false}`, "a", true},
		{"composed", `{"properties":{"a":{}},"allOf":[{"properties":{"b":{}},"required":["a","b"]}],"anyOf":[{"required":["c"],"properties":{"c":{}}}]}`, "a required, b required, c", true},
		{"composed and closed", `{"properties":{"a":{}},"additionalProperties":false,"anyOf":[{"required":["a"]}]}`, "a", false},
		{"a reference", `{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"default":1},"b":{"$ref":"#/$defs/s"}},"required":["b"],"additionalProperties":false},"s":{"writeOnly":true}}}`, "a default, b required writeOnly", false},
		{"a default by reference", `{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"default":1}}}`, "a default", false},
		{"nothing unevaluated", `{"properties":{"a":{}},"unevaluatedProperties":false}`, "a", false},
		{"excluded", `{"properties":{"a":{}},"not":{"properties":{"b":{}}}}`, "a", false},
	} {
		in := input(t, tc.text)
		var list []string
		for _, p := range in.Properties() {
			words := []string{p.Name}
			for _, w := range []struct {
				word string
				is   bool
			}{{"required", p.Required}, {"default", p.Default}, {"writeOnly", p.WriteOnly}} {
				if w.is {
					words = append(words, w.word)
				}
			}
			list = append(list, strings.Join(words, " "))
		}
		if got := strings.Join(list, ", "); got != tc.want || in.Open() != tc.open {
			t.Errorf("%s: got %s, open %v; want %s, open %v", tc.name, got, in.Open(), tc.want, tc.open)
		}
	}
}

func TestHeaders(t *testing.T) {
	in := input(t, `{"properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"page":{"type":"object","properties":{"size":{"type":"integer","x-mcp-header":"Page-Size"}}},
		"loud":{"type":"boolean","x-mcp-header":"Loud"},
		"other":{"type":"number"}}}`)
	want := []schema.HeaderParam{
		{Header: "Region", Path: []string{"region"}, Type: "string"},
		{Header: "Page-Size", Path: []string{"page", "size"}, Type: "integer"},
		{Header: "Loud", Path: []string{"loud"}, Type: "boolean"},
	}
	if diff := cmp.Diff(want, in.Headers()); diff != "" {
		t.Error(diff)
	}
}

func TestDefaultsAreFresh(t *testing.T) {
	in := input(t, `{"properties":{"tags":{"type":"array","default":[{"a":[1]}]}}}`)
	for range 2 {
		bound, err := in.Bind(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(bound.Arguments.AppendJSON(nil)); got != `{"tags":[{"a":[1]}]}` {
			t.Fatalf("got %s", got)
		}
		tags, _ := bound.Arguments.Get("tags")
		a, _ := tags.Items[0].Get("a")
		a.Items[0].Text = "2"
		tags.Items[0].Names[0] = "b"
		bound.Arguments.Names[0] = "changed"
	}
}

func TestSecrets(t *testing.T) {
	in := input(t, `{"properties":{
		"token":{"type":"string","writeOnly":true},
		"pin":{"type":"integer","writeOnly":true},
		"login":{"type":"object","properties":{"user":{"type":"string"},"password":{"$ref":"#/$defs/secret"}}},
		"keys":{"type":"array","items":{"type":"string","writeOnly":true}},
		"blob":{"type":"object","writeOnly":true},
		"either":{"anyOf":[{"type":"integer"},{"type":"string","writeOnly":true}]},
		"open":{"type":"string"}},
		"$defs":{"secret":{"type":"string","writeOnly":true}}}`)
	long := strings.Repeat("long-secret-", 10)
	for _, tc := range []struct{ arguments, want string }{
		{`{"token":"abcdef","open":"public"}`, "abcdef"},
		{`{"token":"abcde"}`, ""},
		{`{"token":"ééé"}`, "ééé"},
		{`{"token":1234567}`, "1234567"},
		{`{"pin":"1234567"}`, "1234567"},
		{`{"pin":1234567.0}`, "1234567.0|1234567"},
		{`{"token":"a\"b\ncdef"}`, `a\"b\ncdef|` + "a\"b\ncdef"},
		{`{"login":{"user":"somebody","password":"hunter2"}}`, "hunter2"},
		{`{"login":"{\"user\":\"somebody\",\"password\":\"hunter2\"}"}`, "hunter2"},
		{`{"keys":["first-key","second-key"]}`, "second-key|first-key"},
		{`{"blob":{"x":["inside-x"],"y":12345678,"z":true}}`, "12345678|inside-x"},
		{`{"either":"a-secret"}`, "a-secret"},
		{`{"token":"abcdef","pin":"many pins"}`, "many pins|abcdef"},
		{`{"token":"abcdef","abcdef":1}`, "abcdef"},
		{`{"token":"ab/cdef","ab/cdef":1}`, "ab/cdef"},
		{`{"token":"` + long + `","` + long + `":1}`, long},
		{`{"open":"public"}`, ""},
	} {
		bound, err := in.Bind(t.Context(), []byte(tc.arguments))
		if got := strings.Join(bound.Secrets, "|"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.arguments, got, tc.want)
		}
		for _, secret := range bound.Secrets {
			if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), "~1", "/"), secret[:min(len(secret), 90)]) {
				t.Errorf("%s: the message gives a secret away: %v", tc.arguments, err)
			}
		}
	}
}

// No message holds a value, whatever is wrong with it.
func TestMessagesHoldNoValue(t *testing.T) {
	const value = "hunter2hunter2"
	for _, s := range []string{
		`{"type":"integer"}`, `{"enum":["a"]}`, `{"const":1}`, `{"type":"string","format":"date"}`,
		`{"pattern":"^x$"}`, `{"maxLength":3}`, `{"not":{"type":"string"}}`, `{"anyOf":[{"type":"integer"},{"maxLength":1}]}`,
		`{"oneOf":[{"type":"string"},{"minLength":1}]}`, `false`, `{"type":"array"}`, `{"type":"object"}`,
		`{"items":{"type":"integer"},"type":["array","null"]}`, `{"type":"string","format":"uri"}`, `{"type":"string","format":"regex"}`,
	} {
		in := input(t, fmt.Sprintf(`{"properties":{"v":%s}}`, s))
		for _, arguments := range []string{`{"v":"%s"}`, `{"v":["%s"]}`, `{"v":{"a":"%s"}}`, `{"v":"[\"%s\""}`, `{"v":"%s\ud800"}`, `{"v":"%s\x"}`, `{"v":"%s`} {
			_, err := in.Bind(t.Context(), []byte(fmt.Sprintf(arguments, value)))
			if err != nil && strings.Contains(err.Error(), value[:7]) {
				t.Errorf("%s, %s: %v", s, arguments, err)
			}
		}
	}
}

func TestTooManyFaults(t *testing.T) {
	in := input(t, `{"properties":{"v":{"type":"array","items":{"type":"integer"}}}}`)
	_, err := in.Bind(t.Context(), []byte(`{"v":[`+strings.Repeat("true,", 1999)+`true]}`))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 12 || !slices.Contains(lines, "and 1990 more faults") {
		t.Errorf("got %d lines: %s", len(lines), err)
	}
}

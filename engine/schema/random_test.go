package schema_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/starmcp/starmcp/engine/schema"
	"github.com/starmcp/starmcp/engine/schema/argcases"
)

// A writer writes random schemas, and values that such schemas like or nearly
// like.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w writer) schema(depth int) string {
	var keywords []string
	for range 1 + w.IntN(3) {
		k := w.simple()
		if depth > 0 && w.IntN(2) == 0 {
			k = w.nested(depth - 1)
		}
		name, _, _ := strings.Cut(k, ":")
		if !slices.ContainsFunc(keywords, func(other string) bool { return strings.HasPrefix(other, name+":") }) {
			keywords = append(keywords, k)
		}
	}
	return "{" + strings.Join(keywords, ",") + "}"
}

func (w writer) simple() string {
	return w.pick(
		`"type":"integer"`, `"type":"number"`, `"type":"string"`, `"type":"boolean"`, `"type":"array"`, `"type":"object"`,
		`"type":["integer","null"]`, `"type":["string","array"]`, `"minimum":2`, `"maximum":2`, `"multipleOf":2`,
		`"minLength":1`, `"maxItems":1`, `"uniqueItems":true`, `"minProperties":1`, `"required":["a"]`,
		`"enum":[`+w.value(1)+`,`+w.value(1)+`]`, `"const":`+w.value(1), `"dependentRequired":{"a":["b"]}`,
		`"additionalProperties":false`, `"unevaluatedProperties":false`, `"propertyNames":{"const":"a"}`, `"$ref":"#/$defs/d"`,
	)
}

func (w writer) nested(depth int) string {
	s := func() string { return w.schema(depth) }
	return w.pick(
		`"properties":{"a":`+s()+`,"b":`+s()+`}`, `"items":`+s(), `"prefixItems":[`+s()+`]`, `"contains":`+s(),
		`"anyOf":[`+s()+`,`+s()+`]`, `"oneOf":[`+s()+`,`+s()+`]`, `"allOf":[`+s()+`,`+s()+`]`, `"not":`+s(),
		`"if":`+s()+`,"then":`+s()+`,"else":`+s(), `"patternProperties":{"^a":`+s()+`}`,
	)
}

func (w writer) value(depth int) string {
	if depth > 0 {
		switch w.IntN(4) {
		case 0:
			return "[" + w.value(depth-1) + "," + w.value(depth-1) + "]"
		case 1:
			return `{"a":` + w.value(depth-1) + `,"b":` + w.value(depth-1) + `}`
		}
	}
	return w.pick(`0`, `2`, `5`, `1.0`, `2.5`, `1e1`, `"1"`, `"1.0"`, `"x"`, `""`, `"true"`, `true`, `false`,
		`null`, `"null"`, `"[1]"`, `"[\"1\",2]"`, `"{\"a\":\"1\"}"`, `"{}"`, `[]`, `{}`)
}

// What [FuzzBind] checks holds for schemas of all shapes, and a message is the
// same each time.
func TestRandomSchemas(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(2026, 7))}
	for range 1500 {
		text := fmt.Sprintf(`{"properties":{"a":%s,"b":%s},"$defs":{"d":%s}}`, w.schema(2), w.schema(1), w.schema(0))
		in, faults := schema.CompileInput(parse(t, text))
		for _, f := range faults {
			if f.Pointer == "" {
				t.Errorf("%s: a fault nowhere: %s", text, f.Message)
			}
		}
		if in == nil {
			continue
		}
		judge := library(t, in.Published())
		for range 20 {
			raw := []byte(`{"a":` + w.value(2) + `,"b":` + w.value(1) + `}`)
			checkBind(t, in, judge, raw)
			_, first := in.Bind(t.Context(), raw)
			if _, second := in.Bind(t.Context(), raw); fmt.Sprint(first) != fmt.Sprint(second) {
				t.Errorf("%s: %s: got two messages:\n%v\n%v", text, raw, first, second)
			}
		}
		if t.Failed() {
			t.Fatalf("with the schema %s", text)
		}
	}
}

// An Input is used by many calls at once.
func TestConcurrentBind(t *testing.T) {
	for _, g := range argcases.Groups() {
		in := input(t, g.Schema)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				for _, c := range g.Cases {
					bound, err := in.Bind(t.Context(), []byte(c.Arguments))
					checkCase(t, g, c, bound, err)
				}
			})
		}
		calls.Wait()
	}
}

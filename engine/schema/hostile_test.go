package schema_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
)

// repeated writes n values, or n members where format has a verb.
func repeated(format string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = format
		if strings.Contains(format, "%d") {
			list[i] = fmt.Sprintf(format, i)
		}
	}
	return strings.Join(list, ",")
}

const integerList = `{"properties":{"v":{"type":"array","items":{"type":"integer"}}}}`

func TestCaps(t *testing.T) {
	for _, tc := range []struct{ name, schema, arguments, want string }{
		{"bytes", `{"properties":{"v":{}}}`, `{"v":"` + strings.Repeat("x", 2<<20) + `"}`, "the JSON of the arguments is larger than 2,097,152 bytes"},
		{"nodes", `{"properties":{"v":{}}}`, `{"v":[` + repeated("1", 100_000) + `]}`, "the JSON of the arguments has more than 100,000 values"},
		{"keys", `{"properties":{"v":{}}}`, `{"v":{` + repeated(`"k%d":1`, 10_001) + `}}`, "an object in the JSON of the arguments has more than 10,000 keys"},
		{"digits", `{"properties":{"v":{}}}`, `{"v":` + strings.Repeat("9", 401) + `}`, "a number in the JSON of the arguments has more than 400 digits"},
		{"most digits", `{"properties":{"v":{"type":"integer","minimum":1}}}`, `{"v":` + strings.Repeat("9", 400) + `}`, ""},
		{"exponent", `{"properties":{"v":{"maximum":5}}}`, `{"v":1e3000000}`, "a number in the JSON of the arguments has an exponent over 400"},
		{"depth", `{"properties":{"v":{}}}`, `{"v":` + strings.Repeat("[", 1_000_000), "the JSON of the arguments is nested deeper than 64 levels"},
		{"a number in a string", integerList, `{"v":["` + strings.Repeat("9", 401) + `"]}`, "a number in the JSON of the arguments has more than 400 digits"},
		{"a list in a string", integerList, `{"v":"` + strings.Repeat("[", 100) + `"}`, "the JSON of the arguments is nested deeper than 64 levels"},
		{"deep in deep", `{"properties":{"v":{"$ref":"#/$defs/l"}},"$defs":{"l":{"type":"array","items":{"$ref":"#/$defs/l"}}}}`,
			`{"v":` + strings.Repeat("[", 40) + `"` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `"` + strings.Repeat("]", 40) + `}`, "the JSON of the arguments is nested deeper than 64 levels"},
		{"lists in strings", `{"properties":{"v":{"items":{"type":"array"}}}}`,
			`{"v":[` + repeated(`"[`+repeated("1", 9000)+`]"`, 12) + `]}`, "the JSON of the arguments has more than 100,000 values"},
		{"defaults", `{"properties":{"v":{"items":{"properties":{"a":{"default":[1,2,3]}}}}}}`,
			`{"v":[` + repeated("{}", 30_000) + `]}`, "the JSON of the arguments has more than 100,000 values"},
	} {
		_, err := input(t, tc.schema).Bind(t.Context(), []byte(tc.arguments))
		var over *jsontree.CapError
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (!errors.As(err, &over) || err.Error() != tc.want):
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
	}
}

// Documents as large as the caps allow are answered, whatever is wrong with
// them. A cost that grows with the square of their size would not end in time.
func TestLargeArguments(t *testing.T) {
	const texts = `{"properties":{"v":{"additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^k"}}}}`
	const union = `{"properties":{"v":{"items":{"oneOf":[
		{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"integer"}}},
		{"type":"object","properties":{"k":{"const":"b"},"x":{"type":"string"},"y":{"type":"integer"}}}]}}}}`
	const choices = `{"properties":{"v":{"items":{"anyOf":[
		{"properties":{"x":{"type":"integer"},"y":{"type":"string"}}},
		{"properties":{"x":{"type":"string"},"y":{"type":"integer","minimum":5}}}]}}}}`
	for _, tc := range []struct {
		name, schema, arguments string
		want                    string // of the message; empty: it is mended
	}{
		{"all in strings", integerList, `{"v":[` + repeated(`"1"`, 99_000) + `]}`, ""},
		{"one is wrong", integerList, `{"v":[` + repeated(`"1"`, 99_000) + `,"x"]}`, "/v/99000: expected an integer, got a string of 1 character"},
		{"all are wrong", integerList, `{"v":[` + repeated(`"x"`, 99_000) + `]}`, "and 98990 more faults"},
		{"unknown", integerList, `{` + repeated(`"k%d":1`, 9_999) + `}`, "and 9989 more faults"},
		{"nulls", texts, `{"v":{` + repeated(`"k%d":null`, 9_999) + `}}`, ""},
		{"numbers for text", texts, `{"v":{` + repeated(`"k%d":1`, 9_999) + `}}`, ""},
		{"names", texts, `{"v":{` + repeated(`"K%d":"x"`, 9_999) + `}}`, "and 9989 more faults"},
		{"unions", union, `{"v":[` + repeated(`{"k":"b","x":5,"y":"2"}`, 20_000) + `]}`, ""},
		{"two ways each", choices, `{"v":[` + repeated(`{"x":"a","y":"6"},{"x":"1","y":"a"}`, 10_000) + `]}`, ""},
		{"no way", choices, `{"v":[` + repeated(`{"x":true,"y":6}`, 10_000) + `]}`, "/v/0/x: expected"},
	} {
		_, err := input(t, tc.schema).Bind(t.Context(), []byte(tc.arguments))
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
	}
}

// Each of twenty objects can be read in two ways, and no combination of a
// million is valid: only some are tried.
func TestTriesAreBounded(t *testing.T) {
	const object = `"p%d":{"a":"1","b":"true"}`
	const either = `"p%d":{"anyOf":[
		{"properties":{"a":{"type":"integer"},"b":{"type":"boolean"}}},
		{"properties":{"a":{"type":"string"},"b":{"type":"boolean"}}}]}`
	const never = `"not":{"required":["p0"],"properties":{"p0":{"required":["b"],"properties":{"b":{"const":true}}}}}`
	arguments := []byte(`{` + repeated(object, 20) + `}`)
	if _, err := input(t, `{"properties":{`+repeated(either, 20)+`}}`).Bind(t.Context(), arguments); err != nil {
		t.Errorf("without a contradiction: %v", err)
	}
	_, err := input(t, `{"properties":{`+repeated(either, 20)+`},`+never+`}`).Bind(t.Context(), arguments)
	var failed *schema.ArgumentsError
	if !errors.As(err, &failed) {
		t.Errorf("got %v", err)
	}
}

// A hundred bytes for which the library would make millions of errors are
// refused before it is asked, whatever way the schema has to multiply them.
func TestSmallArgumentsCostLittle(t *testing.T) {
	const most = 48 << 20
	list := func(levels int, leaf string) string {
		return `{"a":` + strings.Repeat("[", levels) + leaf + strings.Repeat("]", levels) + `}`
	}
	tree := func(alternatives ...string) string {
		return `{"$defs":{"n":{"oneOf":[` + strings.Join(alternatives, ",") + `]}},"properties":{"a":{"$ref":"#/$defs/n"}}}`
	}
	const array = `{"type":"array","items":{"$ref":"#/$defs/n"}}`
	const five = `{"type":"array","items":{"$ref":"#/$defs/n"},"minItems":5}`
	const open = `{"items":{"$ref":"#/$defs/n"},"not":{"type":"number"},"unevaluatedItems":false}`
	for _, tc := range []struct{ name, schema string }{
		{"two ways", tree(array, five, `{"type":"integer"}`)},
		{"three ways", tree(array, five, array, `{"type":"integer"}`)},
		{"unevaluated", tree(array, open, `{"type":"integer"}`)},
		{"secrets", tree(array, five, `{"type":"string","minLength":900000,"writeOnly":true}`)},
	} {
		in := input(t, tc.schema)
		for levels := 1; levels < 63; levels += 3 {
			leaf := `"x"`
			if levels%2 == 0 && tc.name == "secrets" {
				leaf = `"` + strings.Repeat("x", 500_000) + `"`
			}
			arguments := []byte(list(levels, leaf))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := in.Bind(t.Context(), arguments)
			runtime.ReadMemStats(&after)
			if spent := after.TotalAlloc - before.TotalAlloc; spent > most {
				t.Errorf("%s, %d levels: took %d bytes", tc.name, levels, spent)
			}
			if err == nil {
				t.Errorf("%s, %d levels: let through", tc.name, levels)
			}
		}
	}
}

// A long string that a pattern refuses by every one of a million ways to it
// would not be read to its end in time.
func TestLongTextInAlternatives(t *testing.T) {
	const array = `{"type":"array","items":{"$ref":"#/$defs/n"}}`
	in := input(t, `{"$defs":{"n":{"oneOf":[`+array+`,`+array+`,{"type":"string","pattern":"[yz]$"}]}},"properties":{"a":{"$ref":"#/$defs/n"}}}`)
	for levels := 2; levels < 63; levels += 30 {
		arguments := `{"a":` + strings.Repeat("[", levels) + `"` + strings.Repeat("x", 500_000) + `"` + strings.Repeat("]", levels) + `}`
		if _, err := in.Bind(t.Context(), []byte(arguments)); err == nil {
			t.Errorf("%d levels: let through", levels)
		}
	}
}

// Nobody waits for arguments of a call that has ended.
func TestBindEndsWithItsContext(t *testing.T) {
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	in := input(t, integerList)
	if _, err := in.Bind(ctx, []byte(`{"v":["1"]}`)); !errors.Is(err, gone) {
		t.Errorf("got %v, want the cause of the context", err)
	}
	if err := output(t, integerList).Validate(ctx, parse(t, `{"v":["1"]}`)); !errors.Is(err, gone) {
		t.Errorf("got %v of a result, want the cause of the context", err)
	}
}

// Documents that need much work have their turns, and none of them is lost.
func TestManyLargeArguments(t *testing.T) {
	in := input(t, integerList)
	arguments := []byte(`{"v":[` + repeated(`"1"`, 30_000) + `]}`)
	var calls sync.WaitGroup
	for range 6 {
		calls.Go(func() {
			if _, err := in.Bind(t.Context(), arguments); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}

package builtins

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"go.starlark.net/starlark"
)

// maxEncoded caps the JSON that json.encode makes, in bytes. Parts that are
// shared in Starlark are repeated in JSON, so that a small value can become a
// huge text.
const maxEncoded = 8 << 20

// decodeCaps bound what json.decode reads. They are wider than those for
// arguments, since a tool decodes what it chose to read. No depth and no number
// that json.encode writes is beyond them, up to ten thousand digits.
var decodeCaps = jsontree.Caps{
	Bytes:    8 << 20,
	Depth:    maxDepth,
	Nodes:    250_000,
	Keys:     250_000,
	Digits:   10_000,
	Exponent: 400,
}

// JSON is the module json.
var JSON = &Module{
	Name: "json",
	Doc:  "JSON from and to values. Ints keep every digit, floats stay floats, objects keep their order.",
	Funcs: []*Func{
		{
			Name: "encode",
			Doc: "Writes a value as JSON. Dicts and structs become objects; lists, tuples and sets arrays; times RFC 3339 in UTC; durations Go's notation. " +
				"NaN, infinities, functions, cycles, keys that are no strings, nesting over 100 and more than 8 MiB are errors that name the place.",
			Params: []Param{
				{Name: "x", Type: Any, Doc: "The value."},
				{Name: "indent", Type: Str, Optional: true, NameOnly: true, Doc: "What each level is indented by. Without it, all is on one line and without blanks."},
			},
			Returns: "A string.",
			Example: Example{`json.encode({"b": [1, 2.0, None], "a": "x"})`, `"{\"b\":[1,2.0,null],\"a\":\"x\"}"`},
			Call:    encodeJSON,
		},
		{
			Name: "decode",
			Doc: "Reads JSON. Objects become dicts, arrays lists, and numbers without fraction and exponent ints; 1.0 and 1e2 are floats. " +
				"What is no JSON is an error with line and column. A name that occurs twice in an object is an error too, and so are " +
				"more than 8 MiB, nesting over 100, more than 250,000 values, and numbers over 10,000 digits or beyond a float.",
			Params: []Param{
				{Name: "s", Type: Data, Doc: "The JSON text."},
				{Name: "default", Type: Any, Optional: true, NameOnly: true, Doc: "What to give instead of an error about s."},
			},
			Returns: "A dict, list, string, int, float, bool or None.",
			Example: Example{`json.decode('{"n": [1, 2.0, 12345678901234567890]}')`, `{"n": [1, 2.0, 12345678901234567890]}`},
			Call:    decodeJSON,
		},
	},
}

func encodeJSON(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	out, err := AppendJSON(nil, args[0], Encoding{Name: "x", MaxBytes: maxEncoded, Indent: text(args[1])})
	if err != nil {
		return nil, err
	}
	return starlark.String(out), nil
}

func decodeJSON(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	v, err := decodeText(text(args[0]))
	if err != nil && args[1] != nil {
		return args[1], nil
	}
	return v, err
}

func decodeText(s string) (starlark.Value, error) {
	n, err := jsontree.Parse([]byte(s), decodeCaps)
	if err != nil {
		return nil, locate(err, s)
	}
	v, err := FromJSON(n)
	return v, within("s", err)
}

// locate says where in the text an error is, in lines and characters from 1.
func locate(err error, s string) error {
	var syntax *jsontree.SyntaxError
	var over *jsontree.CapError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %s", position(s, syntax.Offset), syntax.Message)
	case errors.As(err, &over):
		return fmt.Errorf("%s: %w", position(s, over.Offset), err)
	}
	return err
}

func position(s string, offset int) string {
	before := s[:min(offset, len(s))]
	line := strings.Count(before, "\n") + 1
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%d:%d", line, col)
}

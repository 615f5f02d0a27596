package builtins

import "go.starlark.net/starlark"

// maxEncoded caps the JSON that json.encode makes, in bytes. Parts that are
// shared in Starlark are repeated in JSON, so that a small value can become a
// huge text.
const maxEncoded = 8 << 20

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
	},
}

func encodeJSON(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	out, err := AppendJSON(nil, args[0], Encoding{Name: "x", MaxBytes: maxEncoded, Indent: text(args[1])})
	if err != nil {
		return nil, err
	}
	return starlark.String(out), nil
}

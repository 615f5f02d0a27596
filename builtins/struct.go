package builtins

import (
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Struct is the function struct.
var Struct = &Module{
	Name: "struct",
	Doc:  "Immutable values with named fields.",
	Funcs: []*Func{{
		Doc: "Makes a value whose fields are read as attributes. Fields are sorted by name. Two structs with equal fields are equal, and a + b has the fields of both.",
		Params: []Param{
			{Name: "fields", Type: Fields, Variadic: true, Doc: "The fields."},
		},
		Returns: "A struct; as a result it is a JSON object.",
		Example: Example{`struct(host = "a", port = 80).port`, `80`},
		Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
			return starlarkstruct.FromKeywords(starlarkstruct.Default, args[0].(*starlark.Dict).Items()), nil
		},
	}},
}

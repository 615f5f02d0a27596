package builtins_test

import (
	"fmt"
	"os"

	"github.com/starmcp/starmcp/builtins"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A program adds a module by describing it. Scripts, messages and the reference
// need nothing else.
func Example() {
	roman := &builtins.Module{
		Name: "roman",
		Doc:  "Roman numerals.",
		Funcs: []*builtins.Func{{
			Name:    "tally",
			Doc:     "Counts in strokes.",
			Params:  []builtins.Param{{Name: "n", Type: builtins.Size, Doc: "How many."}},
			Returns: "A string.",
			Example: builtins.Example{Code: "roman.tally(3)", Result: `"III"`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				n, _ := args[0].(starlark.Int).Int64()
				if n > 3 {
					return nil, fmt.Errorf("%d is more than can be told apart at a glance", n)
				}
				return starlark.String("III"[:n]), nil
			},
		}},
	}

	names := builtins.Predeclared(append(builtins.Pure(), roman))
	for _, code := range []string{"roman.tally(2)", "roman.tally(4)", "roman.tally(-1)", "roman.taly(1)"} {
		v, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), "example", code, names)
		fmt.Println(v, err)
	}
	if err := builtins.Text(os.Stdout, roman); err != nil {
		fmt.Println(err)
	}
	// Output:
	// "II" <nil>
	// <nil> roman.tally: 4 is more than can be told apart at a glance
	// <nil> roman.tally: for parameter n: got -1, want 0 or more
	// <nil> roman has no .taly, did you mean .tally?
	// roman
	//     Roman numerals.
	//
	// roman.tally(n)
	//     Counts in strokes.
	//     n (int): How many.
	//     Returns: A string.
	//     >>> roman.tally(3)
	//     "III"
}

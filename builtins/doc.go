// Package builtins holds what a script can call, as data.
//
// A builtin is a description (name, parameters, result, one example) and either
// a Go function, where it is pure, or the effect that it asks the call's host
// for. The reference, editor stubs, "did you mean" and the values that scripts
// see are all made from that data; nothing is registered by side effect, and
// nothing here touches the machine.
//
// A module is one exported [Module] in one file, and one line in [Pure] or
// [Context]. A program that embeds starmcp hands in its own the same way:
//
//	var Greeting = &builtins.Module{
//		Name: "greeting",
//		Doc:  "Ways to say hello.",
//		Funcs: []*builtins.Func{{
//			Name:    "hello",
//			Doc:     "Greets someone.",
//			Params:  []builtins.Param{{Name: "who", Type: builtins.Str, Doc: "Whom to greet."}},
//			Returns: "A greeting.",
//			Example: builtins.Example{Code: `greeting.hello("you")`, Result: `"Hello, you!"`},
//			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
//				return "Hello, " + args[0].(starlark.String) + "!", nil
//			},
//		}},
//	}
//
// The package also converts between Starlark values, JSON and the plain data of
// effects.
package builtins

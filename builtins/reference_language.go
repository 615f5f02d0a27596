package builtins

import "go.starlark.net/starlark"

var (
	values    = Param{Name: "values", Type: Any, Variadic: true, Doc: "Strings as they are; of anything else its repr."}
	separator = Param{Name: "sep", Type: Str, NameOnly: true, Default: starlark.String(" "), Doc: "What stands between them."}
)

// Language documents the functions of Starlark that mean something of their own
// here: fail and print. Every file has them; they are made elsewhere, so these
// modules are for the reference only and have nothing to call.
func Language() []*Module {
	return []*Module{{
		Name: "fail",
		Doc:  "Ends the call with a message for the agent.",
		Funcs: []*Func{{
			Params:  []Param{values, separator},
			Doc:     "Ends the call. The agent reads the message, as a result with isError, and can try something else; ctx.attempt does not catch it. While a file is loaded it is a problem of the file.",
			Returns: "Never.",
			Example: Example{`fail("nothing is mounted at", "/data")`, `nothing is mounted at /data`},
		}},
	}, {
		Name: "print",
		Doc:  "Writes a line to the server's log.",
		Funcs: []*Func{{
			Params:  []Param{values, separator},
			Doc:     "Writes to the server's log, with the place in the script. Clients never see it. Beyond the call's print limit, which ctx.log shares, it writes nothing and the log says so.",
			Returns: "None.",
			Example: Example{`print("free:", 17)`, `None`},
		}},
	}}
}

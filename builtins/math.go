package builtins

import (
	"math"

	libmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
)

// Math is the module math: lib/math's functions, described.
var Math = &Module{
	Name: "math",
	Doc:  "Rounding, powers, logarithms and trigonometry. Arguments are ints or floats; angles are in radians.",
	Funcs: []*Func{
		mathFunc("ceil", "Rounds up.", "The least int not under x.", Example{`math.ceil(1.2)`, `2`}, "x"),
		mathFunc("floor", "Rounds down.", "The greatest int not over x.", Example{`math.floor(-1.2)`, `-2`}, "x"),
		mathFunc("round", "Rounds to the nearest whole number, halves away from zero.", "A float.", Example{`math.round(2.5)`, `3.0`}, "x"),
		mathFunc("fabs", "Drops the sign.", "A float.", Example{`math.fabs(-2)`, `2.0`}, "x"),
		mathFunc("copysign", "Takes the magnitude of x and the sign of y.", "A float.", Example{`math.copysign(3, -0.0)`, `-3.0`}, "x", "y"),
		mathFunc("mod", "The remainder of x / y, with the sign of x; the operator % has the sign of y.", "A float.", Example{`math.mod(-7, 3)`, `-1.0`}, "x", "y"),
		mathFunc("remainder", "What x differs from the nearest multiple of y by, as IEEE 754 says.", "A float.", Example{`math.remainder(8, 3)`, `-1.0`}, "x", "y"),
		mathFunc("pow", "x to the power of y.", "A float.", Example{`math.pow(2, 10)`, `1024.0`}, "x", "y"),
		mathFunc("sqrt", "The square root.", "A float, NaN for a negative x.", Example{`math.sqrt(2)`, `1.4142135623730951`}, "x"),
		mathFunc("exp", "e to the power of x.", "A float.", Example{`math.exp(0)`, `1.0`}, "x"),
		logFunc,
		mathFunc("hypot", "The length of the vector (x, y).", "A float.", Example{`math.hypot(3, 4)`, `5.0`}, "x", "y"),
		mathFunc("sin", "The sine.", "A float.", Example{`math.sin(0)`, `0.0`}, "x"),
		mathFunc("cos", "The cosine.", "A float.", Example{`math.cos(0)`, `1.0`}, "x"),
		mathFunc("tan", "The tangent.", "A float.", Example{`math.tan(0)`, `0.0`}, "x"),
		mathFunc("asin", "The arc sine.", "A float from -pi/2 to pi/2.", Example{`math.asin(0)`, `0.0`}, "x"),
		mathFunc("acos", "The arc cosine.", "A float from 0 to pi.", Example{`math.acos(1)`, `0.0`}, "x"),
		mathFunc("atan", "The arc tangent.", "A float from -pi/2 to pi/2.", Example{`math.atan(0)`, `0.0`}, "x"),
		mathFunc("atan2", "The angle of the vector (x, y) to the x axis. y comes first.", "A float from -pi to pi.", Example{`math.atan2(0, -1)`, `3.141592653589793`}, "y", "x"),
		mathFunc("sinh", "The hyperbolic sine.", "A float.", Example{`math.sinh(0)`, `0.0`}, "x"),
		mathFunc("cosh", "The hyperbolic cosine.", "A float.", Example{`math.cosh(0)`, `1.0`}, "x"),
		mathFunc("tanh", "The hyperbolic tangent.", "A float.", Example{`math.tanh(0)`, `0.0`}, "x"),
		mathFunc("asinh", "The inverse hyperbolic sine.", "A float.", Example{`math.asinh(0)`, `0.0`}, "x"),
		mathFunc("acosh", "The inverse hyperbolic cosine.", "A float.", Example{`math.acosh(1)`, `0.0`}, "x"),
		mathFunc("atanh", "The inverse hyperbolic tangent.", "A float.", Example{`math.atanh(0)`, `0.0`}, "x"),
		mathFunc("degrees", "Turns radians into degrees.", "A float.", Example{`math.degrees(math.pi)`, `180.0`}, "x"),
		mathFunc("radians", "Turns degrees into radians.", "A float.", Example{`math.radians(180)`, `3.141592653589793`}, "x"),
		mathFunc("gamma", "The Gamma function, (x - 1)! for whole x.", "A float.", Example{`math.gamma(5)`, `24.0`}, "x"),
	},
	Consts: []Const{
		{"e", "The base of natural logarithms.", starlark.Float(math.E)},
		{"pi", "The ratio of a circle's circumference to its diameter.", starlark.Float(math.Pi)},
	},
}

var logFunc = &Func{
	Name: "log",
	Doc:  "The logarithm. A base of 1 is an error.",
	Params: []Param{
		{Name: "x", Type: Number, Doc: "A number over 0."},
		{Name: "base", Type: Number, Default: starlark.Float(math.E), Doc: "The base; e without it."},
	},
	Returns: "A float, NaN for a negative x.",
	Example: Example{`math.log(8, 2)`, `3.0`},
	Call:    library("log"),
}

// mathFunc describes a function of one or two numbers.
func mathFunc(name, doc, returns string, example Example, params ...string) *Func {
	f := &Func{Name: name, Doc: doc, Returns: returns, Example: example, Call: library(name)}
	for _, p := range params {
		f.Params = append(f.Params, Param{Name: p, Type: Number, Doc: mathParams[p]})
	}
	return f
}

// library calls the function in lib/math, whose own checks then never fail.
func library(name string) func(*starlark.Thread, []starlark.Value) (starlark.Value, error) {
	f := libmath.Module.Members[name].(*starlark.Builtin)
	return func(thread *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
		return f.CallInternal(thread, args, nil)
	}
}

var mathParams = map[string]string{"x": "A number.", "y": "A number."}

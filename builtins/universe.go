package builtins

import "go.starlark.net/starlark"

// bounded are the functions of Starlark's universe that could take any amount
// of memory or time within one step of the interpreter, where neither its step
// limit nor a cancellation reaches them: list(range(1 << 62)), or the str of
// sixty tuples that each hold the one before twice. Each is made from the
// original, and differs from it only in that
//
//   - what it would allocate is held against the memory limit of the thread,
//     which [LimitMemory] sets, before it is allocated where that can be known;
//   - the elements it goes through, the comparisons it makes and the text it
//     writes count as steps of the interpreter, a batch at a time, and a thread
//     that was cancelled ends with the batch;
//   - the text of values that nest deeper than 10,000 levels is refused, as are
//     numbers of more than 100,000 digits.
//
// A refusal is a [*LimitError]. The engine bounds its fail with [Printed].
//
// Operators and methods belong to the values themselves and cannot be replaced:
// s * n, s + t, "%s" % x, x == y, x < y, x in y, a key's hash, f(*xs), s.join,
// s.replace, s.format, xs.extend, d.update, u.union. One such step can still go
// beyond every limit. It is then the limits of the process that hold, and the
// watch over its heap where the step ends.
var bounded = map[string]func(original *starlark.Builtin) goFunc{
	"all":       forLong(boundedIteration(0)),
	"any":       forLong(boundedIteration(0)),
	"bytes":     forLong(boundedIteration(1)),
	"dict":      forLong(boundedDict),
	"enumerate": forLong(boundedIteration(valueSize + tupleSize + 2*valueSize)),
	"float":     boundedNumber,
	"int":       boundedNumber,
	"list":      forLong(boundedIteration(valueSize)),
	"max":       forLong(boundedExtremum),
	"min":       forLong(boundedExtremum),
	"print":     boundedPrint,
	"repr":      boundedRepr,
	"reversed":  forLong(boundedIteration(valueSize)),
	"set":       forLong(boundedSet),
	"sorted":    boundedSorted,
	"str":       boundedStr,
	"tuple":     forLong(boundedIteration(valueSize)),
	"zip":       forLong(boundedZip),
}

// Universe returns what scripts call in place of the functions of Starlark's
// universe: those that are bounded, and all others as they are. A panic in one
// is an error of the script's call.
func Universe() starlark.StringDict {
	names := make(starlark.StringDict)
	for name, v := range starlark.Universe {
		original, ok := v.(*starlark.Builtin)
		if !ok {
			continue
		}
		fn := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return original.CallInternal(thread, args, kwargs)
		}
		if bound := bounded[name]; bound != nil {
			fn = bound(original)
		}
		names[name] = starlark.NewBuiltin(name, guard(fn))
	}
	return names
}

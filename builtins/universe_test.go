package builtins_test

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/builtins"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// harmless are the universals that no argument makes take memory or time out of
// proportion to what the script holds already.
var harmless = map[string]string{
	"None": "a constant", "True": "a constant", "False": "a constant",
	"abs":     "copies one number at most",
	"bool":    "looks at one value, and not into it",
	"chr":     "makes one character",
	"dir":     "lists the attributes of one value",
	"fail":    "is replaced by the engine, which writes its message with Printed",
	"getattr": "looks up one name",
	"hasattr": "looks up one name",
	"hash":    "reads one string once",
	"len":     "is told the length",
	"ord":     "reads one string once, at most",
	"range":   "holds three numbers, whatever they are; what goes through them is bounded instead",
	"type":    "names a type",
}

// bounded are those that have a cap, which TestBounds reaches.
var bounded = strings.Fields("all any bytes dict enumerate float int list max min print repr reversed set sorted str tuple zip")

// TestUniverseIsKnown fails when the interpreter gets another universal:
// somebody must then decide whether it can be left as it is.
func TestUniverseIsKnown(t *testing.T) {
	ours := builtins.Universe()
	for name, v := range starlark.Universe {
		capped := false
		for _, b := range bounded {
			capped = capped || b == name
		}
		if _, ok := harmless[name]; ok == capped {
			t.Errorf("%s must be either bounded or harmless, for a reason", name)
		}
		if _, ok := v.(*starlark.Builtin); ok && ours[name] == nil {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range bounded {
		if starlark.Universe[name] == nil {
			t.Errorf("%s is bounded and does not exist", name)
		}
	}
}

// run calls run() of a script, on a thread with a memory limit of 1 MiB and one
// of a million steps, with our universe or with the interpreter's own.
func run(script string, universe starlark.StringDict) (starlark.Value, error) {
	names := starlark.StringDict{"struct": starlark.NewBuiltin("struct", starlarkstruct.Make)}
	for name, v := range universe {
		names[name] = v
	}
	thread := new(starlark.Thread)
	var printed strings.Builder
	thread.Print = func(thread *starlark.Thread, text string) {
		printed.WriteString(thread.CallFrame(1).Pos.String() + " " + text + "\n")
	}
	builtins.LimitMemory(thread, 1<<20)
	thread.SetMaxExecutionSteps(1_000_000)
	script = "def run():\n    " + strings.ReplaceAll(script, "\n", "\n    ") + "\n"
	globals, err := starlark.ExecFileOptions(&syntax.FileOptions{Set: true}, thread, "x.star", script, names)
	if err != nil {
		return nil, err
	}
	v, err := starlark.Call(thread, globals["run"], nil, nil)
	if printed.Len() > 0 && err == nil {
		v = starlark.Tuple{v, starlark.String(printed.String())}
	}
	return v, err
}

// TestUnderTheBounds holds that scripts cannot tell the bounded functions from
// the interpreter's own, in results, errors and steps of short iterations.
func TestUnderTheBounds(t *testing.T) {
	for _, script := range strings.Split(strings.TrimSpace(`
return list(), list([1, 2]), list((1,)), list({"a": 1}), list(range(3)), list("ab".elems()), list("aé".codepoints())
return len(list(range(3000))), list(range(5000))[4999], list(range(5000))[0], list({i: 0 for i in range(3000)})[2999]
return list(1)
return list("abc")
return list([1], [2])
return list(x = 1)
return tuple(), tuple([1]), tuple(range(2000))[1999], tuple(("ab" * 2000).elems())[3999]
return reversed([1, 2, 3]), reversed(range(3000))[0], reversed(None)
return enumerate(["a", "b"], 5), enumerate(range(2000))[1999], enumerate(range(2000), start = 1)
return enumerate("ab".codepoints()), enumerate(5)
return zip(), zip([1, 2], (3, 4, 5)), zip(range(3), "ab".elems()), zip(range(1 << 62), "ab".codepoints())
return len(zip(range(2000), range(3000))), zip(range(2000), range(1 << 62))[1999]
return zip([1], 2)
return zip([1], x = 2)
return bytes(b"x" * 3000), bytes("é" * 2000), bytes([65, 66]), bytes(range(256)), len(bytes([7] * 5000)), bytes(("ab" * 900).elem_ords())
return bytes([256])
return bytes([1, "a"])
return bytes(1)
return dict(), dict([("a", 1), ["b", 2]], c = 3), dict({"a": 1}, a = 2), dict([(i, i) for i in range(2000)])[1999]
return dict({i: i for i in range(2000)}) == {i: i for i in range(2000)}, list(dict({i: i for i in range(2000)}, z = 1))[2000]
return dict([(1, 2, 3)])
return dict([1])
return dict(5)
return dict([([], 1)])
return set(), set([1, 2, 1]), len(set([i % 3 for i in range(5000)])), set(range(2000)) == set(list(range(2000)))
return set([[]])
return set([1], [2])
return set(5)
return set(x = 1)
return all([]), all([1, 0]), any([]), any([0, 2]), any(range(1 << 62)), all(range(1, 5000)), all(range(5000)), any([0] * 5000)
return any(5)
return max(1, 2), min(1, 2), max([3, 1, 2]), min("b", "a"), max(range(5000)), min(range(5000)), max(range(5000), key = lambda x: -x)
return max([])
return max()
return max([1, "a"])
return min(5)
return max([1], key = 1)
return max([1, 2], foo = 1)
return sorted([3, 1, 2]), sorted([3, 1, 2], reverse = True), sorted(["b", "a"]), sorted(range(3000), key = lambda x: -x)[0]
return sorted([(1, "b"), (0, "c"), (1, "a")], key = lambda x: x[0]), sorted([(1, "b"), (0, "c"), (1, "a")], key = lambda x: x[0], reverse = True)
return sorted([1, 2], None), sorted([2, 1], None, True), sorted(iterable = [2, 1]), sorted({"b": 1, "a": 2}), sorted([None])
return sorted([1, "a"])
return sorted([None, None])
return sorted(5)
return sorted([1], foo = 1)
return sorted([1, 2], key = lambda: 1)
return sorted([float("nan"), 1.0, -1, 2])
l = [3, 1, 2]; return sorted(l, key = lambda x: l.append(x))
return int(), int("12"), int("-0x1f", 16), int(3.9), int(True), int("z", 36), int(x = "7", base = 8), int("9" * 400)
return int("x")
return int([1])
return float("1.5"), float(1), float(True), float("inf"), float("1e400")
return float("x")
return str(1), str("a"), str(b"a\xffb"), str([1, "a", None, 1.0, True, b"x"]), str(len), str("a".upper), str(range(3)), str(lambda: 0)
return str(), 1
return str(1, 2)
return str(x = 1)
return repr("a\n\"é\x00"), repr(b"a\xff"), repr(()), repr((1,)), repr((1, 2)), repr([]), repr({}), repr({"a": [1], 2: (3,)}), repr(set([1, 2])), repr(set())
return repr(struct(a = 1, b = struct(c = [2]))), repr(struct()), repr([struct(a = (1,))]), repr("x" * 70000), repr("é\x01" * 50000), repr(b"\xc3\x01" * 50000)
return repr((1 << 300) * 7), repr(-5), repr(1 << 62), repr("ab".elems()), repr({}.keys), repr(print)
return repr()
x = [1]; x.append(x); d = {"x": x}; x.append(d); d["d"] = d; return repr(x), str(d), repr((d, [x, x]))
return print("a", 1, [b"b"], b"c"), print(), print("a", "b", sep = "-"), print([1], sep = "-")
return print(foo = 1)
return print(sep = 1)
return hash("a"), abs(-1), bool([]), chr(65), dir([])[0], getattr(struct(a = 1), "a"), hasattr(1, "a"), len("abc"), ord("a"), range(3), type(range(1))
return str(list), str(sorted), str(print), type(str), dir(list)
`), "\n") {
		want, wantErr := run(script, nil)
		got, gotErr := run(script, builtins.Universe())
		switch {
		case (gotErr == nil) != (wantErr == nil), gotErr != nil && gotErr.Error() != wantErr.Error():
			t.Errorf("%s\nerror %v\nwant  %v", script, gotErr, wantErr)
		case gotErr == nil && got.String() != want.String():
			t.Errorf("%s\ngives %.300s\nwant  %.300s", script, got, want)
		}
	}
}

// TestBounds holds what each function says of too much. Nothing here would end
// otherwise, or it would take gigabytes.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		script string
		memory bool // it is the memory limit
		want   string
	}{
		{"return list(range(1 << 62))", true, `^list: 4611686018427387904 elements do not fit into the memory limit of 1 MiB, which holds 65536 at most; ask for less at once$`},
		{"return list(range(65537))", true, `^list: 65537 elements`},
		{"return list((('\\u00e9' * 100000).codepoints()))", true, `^list: \d+ elements`},
		{"return tuple(range(1 << 62))", true, `^tuple: `},
		{"return reversed(range(1 << 62))", true, `^reversed: `},
		{"return sorted(range(1 << 62))", true, `^sorted: `},
		{"return sorted(range(1 << 62), key = lambda x: -x)", true, `^sorted: `},
		{"return enumerate(range(1 << 62))", true, `^enumerate: .* holds 14563 at most`},
		{"return enumerate(('a' * 100000).codepoints())", true, `^enumerate: `},
		{"return zip(range(1 << 62), range(1 << 61))", true, `^zip: 2305843009213693952 rows .* holds 14563 at most`},
		{"return zip(('a' * 100000).codepoints(), ('a' * 100000).codepoints())", true, `^zip: `},
		{"return bytes(range(1 << 62))", true, `^bytes: .* holds 1048576 at most`},
		{"return set(range(1 << 62))", true, `^set: 19456 elements .* holds 18724 at most`},
		{"return int('9' * 100001)", false, `^int: the string has more than 100000 digits, which is the limit$`},
		{"return int(x = '9' * 100001)", false, `^int: `},
		{"return float('9' * 100001)", false, `^float: `},
		{"x = [3]\nfor i in range(18):\n    x[0] *= x[0]\nreturn str(x)", false, `^str: the value holds an int of more than 100000 digits, which is the limit$`},
		{"return repr('\\0' * 300000)", true, `^repr: the text is longer than the memory limit of 1 MiB; ask for less at once$`},
		{"return repr(b'\\xff' * 300000)", true, `^repr: the text is longer`},
		{"return str(b'\\xff' * 400000)", true, `^str: 400000 bytes that are not UTF-8 do not fit`},
		{"return print('x' * 700000, 'x' * 700000)", true, `^print: the text is longer`},
		{"return print('x', 'x', 'x', sep = 'x' * 700000)", true, `^print: the text is longer`},
		{"t = (1,)\nfor i in range(60):\n    t = (t, t)\nreturn str(t)", true, `^str: the text is longer`},
		{"t = [1]\nfor i in range(60):\n    t = [t, t]\nreturn repr({'a': t})", true, `^repr: the text is longer`},
		{"t = struct(a = 1)\nfor i in range(60):\n    t = struct(a = t, b = t)\nreturn print(t)", true, `^print: the text is longer`},
		{"x = None\nfor i in range(10001):\n    x = [x]\nreturn str(x)", false, `^str: the value nests deeper than 10000 levels, which is the limit$`},
		{"x = None\nfor i in range(10001):\n    x = (x,)\nreturn str(x)", false, `^str: the value nests deeper`},
		{"x = None\nfor i in range(10001):\n    x = struct(a = x)\nreturn str(x)", false, `^str: the value nests deeper`},
		{"x = None\nfor i in range(10001):\n    x = {'a': x}\nreturn str(x)", false, `^str: the value nests deeper`},
	} {
		_, err := run(c.script, builtins.Universe())
		var limit *builtins.LimitError
		if !errors.As(err, &limit) || limit.Memory != c.memory {
			t.Errorf("%s\ngives %v", c.script, err)
			continue
		}
		if matched, _ := regexp.MatchString(c.want, limit.Error()); !matched {
			t.Errorf("%s\nsays %s\nwant %s", c.script, limit, c.want)
		}
	}
}

// TestStepsReachBuiltins holds that a long step ends with the steps of the
// thread, as everything else does.
func TestStepsReachBuiltins(t *testing.T) {
	for _, script := range []string{
		"return all(range(1, 1 << 62))",
		"return any([0] * 100000 * 100)",
		"return max(range(1 << 62))",
		"return min(range(1 << 62), key = lambda x: -x)",
		"return sorted([0] * 60000 + [1] * 5000, key = lambda x: 'x' * 20000)",
		"return dict([(i, i) for i in range(1000)] * 2000)",
		"return set([0] * 2000000)",
		"x = ['']\nfor i in range(9990):\n    x = [x]\nwide = [x] * 60\nreturn repr(wide)",
	} {
		_, err := run(script, builtins.Universe())
		if err == nil || err.Error() != "Starlark computation cancelled: too many steps" {
			t.Errorf("%s\ngives %v", script, err)
			continue
		}
		var evalErr *starlark.EvalError
		if !errors.As(err, &evalErr) || strings.Contains(evalErr.Backtrace(), "pulse") {
			t.Errorf("%s: a backtrace without anything of ours in it, please: %v", script, err)
		}
	}
}

// TestCycleThroughStruct holds that such a cycle is shown as others are.
func TestCycleThroughStruct(t *testing.T) {
	got, err := run("l = []; l.append(struct(a = l)); return str(l)", builtins.Universe())
	if want := starlark.String("[struct(a = [...])]"); err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

// FuzzRepr holds the text of values against the interpreter's.
func FuzzRepr(f *testing.F) {
	f.Add([]byte("\x05\x06ab\x07\x03\x08\x09\x01\x02\x0a\x04"))
	f.Add([]byte("\x05\x05\x05\x01\x01\x06\x06\x06\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := made(&data, 0)
		thread := new(starlark.Thread)
		got, err := starlark.Call(thread, builtins.Universe()["repr"], starlark.Tuple{v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := v.String(); string(got.(starlark.String)) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// made makes a value of the bytes, and takes them away. Lists can come to
// contain themselves.
func made(data *[]byte, depth int) starlark.Value {
	next := func() byte {
		if len(*data) == 0 {
			return 0
		}
		b := (*data)[0]
		*data = (*data)[1:]
		return b
	}
	kind := next()
	if depth > 20 {
		kind %= 5
	}
	switch kind % 11 {
	case 0:
		return starlark.None
	case 1:
		return starlark.MakeInt(int(next()))
	case 2:
		return starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(int64(next())+1), 80))
	case 3, 4:
		n := min(int(next()), len(*data))
		text := string((*data)[:n])
		*data = (*data)[n:]
		if kind%11 == 3 {
			return starlark.String(text)
		}
		return starlark.Bytes(text)
	case 5, 6:
		list := starlark.NewList(nil)
		for range next() % 4 {
			list.Append(made(data, depth+1))
		}
		if kind%11 == 6 {
			list.Append(starlark.Tuple{list})
		}
		return list
	case 7:
		tuple := starlark.Tuple{}
		for range next() % 4 {
			tuple = append(tuple, made(data, depth+1))
		}
		return tuple
	case 8:
		set := new(starlark.Set)
		for range next() % 4 {
			set.Insert(made(data, 100))
		}
		return set
	case 9:
		dict := new(starlark.Dict)
		for range next() % 4 {
			dict.SetKey(made(data, 100), made(data, depth+1))
		}
		if next()%4 == 0 {
			dict.SetKey(starlark.None, dict)
		}
		return dict
	}
	fields := starlark.StringDict{}
	for range next() % 4 {
		fields[string(rune('a'+next()%26))] = made(data, 100)
	}
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

func BenchmarkUniverse(b *testing.B) {
	for _, script := range []string{
		"for i in range(1000):\n    str(i)",
		"for i in range(100):\n    list(range(100))",
		"x = [{'a': i, 'b': 'text'} for i in range(1000)]\nstr(x)",
		"sorted(range(10000), reverse = True)",
	} {
		for name, universe := range map[string]starlark.StringDict{"ours": builtins.Universe(), "theirs": nil} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					if _, err := run(script, universe); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

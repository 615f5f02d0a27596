package builtins_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/jsontree"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// parse makes a Starlark value of a JSON text.
func parse(text string) (starlark.Value, error) {
	n, err := jsontree.Parse([]byte(text), jsontree.Caps{})
	if err != nil {
		return nil, err
	}
	return builtins.FromJSON(n)
}

func TestJSONBothWays(t *testing.T) {
	digits := strings.Repeat("1234567890", 400)
	for _, c := range []struct {
		in   string
		want string // as Starlark prints the value
		out  string // JSON again; empty: as it came
	}{
		{in: "null", want: "None"},
		{in: "true", want: "True"},
		{in: "false", want: "False"},
		{in: "0", want: "0"},
		{in: "-0", want: "0", out: "0"},
		{in: "-0.0", want: "-0.0"},
		{in: "9007199254740993", want: "9007199254740993"},
		{in: "9223372036854775807", want: "9223372036854775807"},
		{in: "-9223372036854775808", want: "-9223372036854775808"},
		{in: "9223372036854775808", want: "9223372036854775808"},
		{in: "18446744073709551615", want: "18446744073709551615"},
		{in: "-1234567890123456789012345678901234567890", want: "-1234567890123456789012345678901234567890"},
		{in: digits, want: digits},
		{in: "1.0", want: "1.0"},
		{in: "1E2", want: "100.0", out: "100.0"},
		{in: "1e-7", want: "1e-07", out: "1e-07"},
		{in: "0.000001", want: "1e-06"},
		{in: "1e20", want: "1e+20", out: "100000000000000000000.0"},
		{in: "1e21", want: "1e+21", out: "1e+21"},
		{in: "0.1", want: "0.1"},
		{in: "1.7976931348623157e308", want: "1.7976931348623157e+308", out: "1.7976931348623157e+308"},
		{in: "5e-324", want: "5e-324"},
		{in: "1e-400", want: "0.0", out: "0.0"},
		{in: `""`, want: `""`},
		{in: `"\u00e9\ud83d\ude00\u0000\u001f\u007f\u2028"`, want: `"é😀\x00\x1f\x7f\u2028"`, out: "\"é😀\\u0000\\u001f\u007f\u2028\""},
		{in: `"\"\\\/\b\f\n\r\t<>&"`, want: `"\"\\/\b\f\n\r\t<>&"`, out: `"\"\\/\b\f\n\r\t<>&"`},
		{in: `[ 1 , [ ] , { } ]`, want: "[1, [], {}]", out: "[1,[],{}]"},
		{in: `{"z":1,"a":{"y":2,"b":3},"":4}`, want: `{"z": 1, "a": {"y": 2, "b": 3}, "": 4}`},
	} {
		v, err := parse(c.in)
		if err != nil {
			t.Errorf("%.40s: %v", c.in, err)
			continue
		}
		if v.String() != c.want {
			t.Errorf("%.40s is %.60s, want %.60s", c.in, v, c.want)
		}
		out, err := builtins.AppendJSON(nil, v, builtins.Encoding{Name: "result"})
		if want := cmp.Or(c.out, c.in); err != nil || string(out) != want {
			t.Errorf("%.40s becomes %.60s, %v, want %.60s", c.in, out, err, want)
		}
	}
}

func TestFromJSONRefuses(t *testing.T) {
	_, err := parse(`{"a": [{"b c": -1e400}]}`)
	var valueErr *builtins.ValueError
	if !errors.As(err, &valueErr) || valueErr.Path != `.a[0]["b c"]` {
		t.Errorf("got %v", err)
	}
}

func TestAppendJSONRefuses(t *testing.T) {
	list := func(elems ...starlark.Value) *starlark.List { return starlark.NewList(elems) }
	dict := func(k, v starlark.Value) *starlark.Dict {
		d := new(starlark.Dict)
		if err := d.SetKey(k, v); err != nil {
			t.Fatal(err)
		}
		return d
	}
	structure := func(name string, v starlark.Value) starlark.Value {
		return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{name: v})
	}
	cycle := list(starlark.None)
	cycle.SetIndex(0, starlark.Tuple{cycle})
	function, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), "", "lambda: 1", nil)
	if err != nil {
		t.Fatal(err)
	}
	var deep starlark.Value = starlark.None
	for range 101 {
		deep = starlark.Tuple{deep}
	}
	for _, c := range []struct {
		value starlark.Value
		want  string
	}{
		{dict(starlark.String("disks"), list(starlark.None, structure("ratio", starlark.Float(math.NaN())))), "result.disks[1].ratio is NaN, which JSON cannot hold"},
		{starlark.Float(math.Inf(1)), "result is +inf, which JSON cannot hold"},
		{starlark.Tuple{starlark.Float(math.Inf(-1))}, "result[0] is -inf, which JSON cannot hold"},
		{cycle, "result[0][0] contains itself"},
		{function, "result is a function, which JSON cannot hold"},
		{list(starlark.Universe["len"]), "result[0] is a function, which JSON cannot hold"},
		{dict(starlark.MakeInt(1), starlark.None), "result has a key of type int, and JSON's keys are strings"},
		{structure("a", dict(starlark.None, starlark.None)), "result.a has a key of type NoneType, and JSON's keys are strings"},
		{deep, "result" + strings.Repeat("[0]", 31) + "[..." + strings.Repeat("[0]", 20) + " nests deeper than 100 levels"},
		{starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(1), 1<<26)), "result is an int of more than 100000 digits"},
		{builtins.JSON.Value(), "result is a module, which JSON cannot hold"},
		{dict(starlark.String(strings.Repeat("k", 100)), function), `result["` + strings.Repeat("k", 40) + `..."] is a function, which JSON cannot hold`},
	} {
		_, err := builtins.AppendJSON(nil, c.value, builtins.Encoding{Name: "result"})
		var valueErr *builtins.ValueError
		if !errors.As(err, &valueErr) || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestAppendJSONStopsAtItsLimit(t *testing.T) {
	var shared starlark.Value = starlark.String("x")
	for range 60 {
		shared = starlark.Tuple{shared, shared}
	}
	wide := new(starlark.Dict)
	wide.SetKey(starlark.String("list"), starlark.NewList(make([]starlark.Value, 1000)))
	for i := range 1000 {
		v, _, _ := wide.Get(starlark.String("list"))
		v.(*starlark.List).SetIndex(i, starlark.MakeInt(i))
	}
	for name, v := range map[string]starlark.Value{
		"shared": shared, "wide": wide, "string": starlark.String(strings.Repeat("é", 1000)),
		"key": starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{strings.Repeat("k", 1000): starlark.None}),
		"int": starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(1), 1000)), "escapes": starlark.String(strings.Repeat("\x00", 100)),
	} {
		const limit = 100
		out, err := builtins.AppendJSON([]byte("before"), v, builtins.Encoding{Name: "result", MaxBytes: limit})
		var sizeErr *builtins.SizeError
		if !errors.As(err, &sizeErr) || sizeErr.Limit != limit {
			t.Errorf("%s: got %v", name, err)
		}
		if len(out) > len("before")+limit || !strings.HasPrefix(string(out), "before") {
			t.Errorf("%s: got %d bytes: %s", name, len(out), out)
		}
	}
	out, err := builtins.AppendJSON(nil, starlark.String("12345678"), builtins.Encoding{MaxBytes: 10})
	if err != nil || string(out) != `"12345678"` {
		t.Errorf("what just fits: got %s, %v", out, err)
	}
}

func TestAppendJSONMendsText(t *testing.T) {
	for in, want := range map[string]string{
		"a\xffb":       `"a` + "\ufffd" + `b"`,
		"\xed\xa0\x80": `"` + "\ufffd\ufffd\ufffd" + `"`,
		"\xf0\x9f\x98": `"` + "\ufffd\ufffd\ufffd" + `"`,
		"\ufffd":       `"` + "\ufffd" + `"`,
	} {
		for _, v := range []starlark.Value{starlark.String(in), starlark.Bytes(in)} {
			out, err := builtins.AppendJSON(nil, v, builtins.Encoding{})
			if err != nil || string(out) != want {
				t.Errorf("%q: got %s, %v, want %s", in, out, err, want)
			}
		}
	}
}

// No two keys become the same one, which readers of the JSON would trip over.
func TestAppendJSONKeepsKeysApart(t *testing.T) {
	many := new(starlark.Dict)
	for i := range 20000 {
		many.SetKey(starlark.String(strings.Repeat("\xff", i%2)+strconv.Itoa(i)), starlark.None)
	}
	if _, err := builtins.AppendJSON(nil, many, builtins.Encoding{Name: "result"}); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		keys []string
		want string // of the error; empty: none
	}{
		{[]string{"\xff", "\xff\xff", "\xffa", "a"}, ""},
		{[]string{"\xff", "b", "\xfe"}, "two keys that are both \"\ufffd\" once what is not UTF-8 is replaced"},
		{[]string{"a\xffb", "a\ufffdb"}, "two keys that are both \"a\ufffdb\""},
		{[]string{"a\ufffdb", "a\xffb"}, "two keys that are both \"a\ufffdb\""},
	} {
		dict, attrs := new(starlark.Dict), starlark.StringDict{}
		for _, key := range c.keys {
			inner := new(starlark.Dict)
			inner.SetKey(starlark.String("\xff"), starlark.None)
			dict.SetKey(starlark.String(key), inner)
			attrs[key] = inner
		}
		for _, v := range []starlark.Value{dict, starlarkstruct.FromStringDict(starlarkstruct.Default, attrs)} {
			_, err := builtins.AppendJSON(nil, starlark.Tuple{v}, builtins.Encoding{Name: "result"})
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), "result[0] has "+c.want) {
				t.Errorf("%q: got %v", c.keys, err)
			}
		}
	}
}

// FuzzJSON checks that what comes from JSON goes back to JSON that means the
// same, and that no string ever makes invalid JSON.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5,-0,-0.0,1e400,"\u00e9\ud83d\ude00"],"b":{"":null}}`, `123456789012345678901234567890`, "\"\xff\"", `[[[[]]]]`, `1e21`, `5e-324`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		quoted, err := builtins.AppendJSON(nil, starlark.Bytes(text), builtins.Encoding{})
		if err != nil || !json.Valid(quoted) {
			t.Fatalf("%q as a string: %s, %v", text, quoted, err)
		}
		n, err := jsontree.Parse(text, jsontree.ArgumentCaps)
		if err != nil {
			return
		}
		v, err := builtins.FromJSON(n)
		if err != nil {
			return // a number beyond a float
		}
		first, err := builtins.AppendJSON(nil, v, builtins.Encoding{Name: "result"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := parse(string(first))
		if err != nil {
			t.Fatalf("%s became %s: %v", text, first, err)
		}
		if same, err := starlark.Equal(v, again); err != nil || !same || v.String() != again.String() {
			t.Fatalf("%s became %s and that %s, not %s", text, first, again, v)
		}
	})
}

const document = `{"filesystems":[{"mount":"/","device":"/dev/sda1","used_percent":97,"free":3.5,"options":["rw","relatime"],"note":null},` +
	`{"mount":"/data","device":"/dev/sdb1","used_percent":12,"free":880.25,"options":["rw","noatime"],"note":"grows by 2 % \"a day\""}],"count":2,"ok":true}`

func BenchmarkFromJSON(b *testing.B) {
	n, err := jsontree.Parse([]byte(document), jsontree.ArgumentCaps)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(document)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := builtins.FromJSON(n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	v, err := parse(document)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(document)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		if buf, err = builtins.AppendJSON(buf[:0], v, builtins.Encoding{Name: "result", MaxBytes: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}

package jsontree_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/starmcp/starmcp/builtins/jsontree"
)

func TestParseKeepsOrderAndLiterals(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `""`, `[]`, `{}`, `0`, `-0`, `1.0`, `1e2`, `1E+2`,
		`9007199254740993`,
		`1234567890123456789012345678901234567890`,
		`{"b":1,"a":[2,{"z":null,"y":"x"}],"":{}}`,
		`"é\n\"\\/"`,
		`["\u0001"," ","😀"]`,
	} {
		n, err := jsontree.Parse([]byte(text), jsontree.ArgumentCaps)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(n.AppendJSON(nil)); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
}

func TestParseNormalizes(t *testing.T) {
	n, err := jsontree.Parse([]byte(" { \"\\u0061\\ud83d\\ude00\" :\t[ 1 , \"\\/\" ] }\r\n"), jsontree.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(n.AppendJSON(nil)), `{"a😀":[1,"/"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{``, "invalid JSON at byte 0: the text is empty"},
		{`  `, "invalid JSON at byte 0: the text is empty"},
		{`{"a":`, "invalid JSON at byte 5: the text ends too early"},
		{`{"a":1,}`, "invalid JSON at byte 6: invalid character ',' at start of value"},
		{`{"a":1,"a":2}`, `invalid JSON at byte 7: the name "a" occurs twice in one object`},
		{`{"a":1,"\u0061":2}`, `invalid JSON at byte 7: the name "a" occurs twice in one object`},
		{`1 2`, "invalid JSON at byte 2: there is more after the value"},
		{`01`, "invalid JSON at byte 1: there is more after the value"},
		{`NaN`, "invalid JSON at byte 0: invalid character 'N' at start of value"},
		{"\"\xff\"", "invalid JSON at byte 1: invalid UTF-8"},
		{`"\ud800"`, "invalid JSON at byte 1: invalid surrogate pair in string"},
		{`"\x41"`, "invalid JSON at byte 1: invalid escape sequence in string"},
		{"\ufeff{}", "invalid JSON at byte 0: invalid character '\\ufeff' at start of value"},
	} {
		_, err := jsontree.Parse([]byte(tc.text), jsontree.Caps{})
		var syntax *jsontree.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: got %v, want a SyntaxError", tc.text, err)
		} else if err.Error() != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.text, err, tc.want)
		}
	}
}

func TestCaps(t *testing.T) {
	caps := jsontree.Caps{Bytes: 1000, Depth: 3, Nodes: 10, Keys: 4, Digits: 5, Exponent: 40}
	for _, tc := range []struct {
		text string
		cap  string // empty: within
		want string
	}{
		{`[[[1]]]`, "", ""},
		{`[[[[]]]]`, "depth", "the JSON is nested deeper than 3 levels"},
		{`[1,2,3,4,5,6,7,8,9]`, "", ""},
		{`[1,2,3,4,5,6,7,8,9,0]`, "nodes", "the JSON has more than 10 values"},
		{`{"a":1,"b":1,"c":1,"d":1}`, "", ""},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1}`, "keys", "an object in the JSON has more than 4 keys"},
		{`[-12.345,-1e40,1E-40,1e00000000000000000040]`, "", ""},
		{`123456`, "digits", "a number in the JSON has more than 5 digits"},
		{`1.23456`, "digits", "a number in the JSON has more than 5 digits"},
		{`1e41`, "exponent", "a number in the JSON has an exponent over 40"},
		{`1e-41`, "exponent", "a number in the JSON has an exponent over 40"},
		{`1e99999999999999999999999999`, "exponent", "a number in the JSON has an exponent over 40"},
		{`"` + strings.Repeat("x", 998) + `"`, "", ""},
		{`"` + strings.Repeat("x", 999) + `"`, "bytes", "the JSON is larger than 1,000 bytes"},
	} {
		_, err := jsontree.Parse([]byte(tc.text), caps)
		if tc.cap == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.text, err)
			}
			continue
		}
		var over *jsontree.CapError
		if !errors.As(err, &over) || over.Cap != tc.cap || err.Error() != tc.want {
			t.Errorf("%s: got %v, want %s", tc.text, err, tc.want)
		}
	}
}

// A document that is hostile in one way is refused where it goes over, before
// anything is built from the rest.
func TestHostileDocumentsCostLittle(t *testing.T) {
	for _, tc := range []struct{ name, text string }{
		{"digits", strings.Repeat("9", 2_000_000)},
		{"arrays", strings.Repeat("[", 2_000_000)},
		{"objects", strings.Repeat(`{"":`, 500_000)},
		{"bytes", strings.Repeat("[", 20_000_000)},
	} {
		text := []byte(tc.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := jsontree.Parse(text, jsontree.ArgumentCaps)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: accepted", tc.name)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 4<<20 {
			t.Errorf("%s: %d bytes allocated", tc.name, spent)
		}
	}
}

func TestDeepNestingWithoutCaps(t *testing.T) {
	if _, err := jsontree.Parse([]byte(strings.Repeat("[", 1_000_000)), jsontree.Caps{}); err == nil {
		t.Error("a million open arrays were accepted")
	}
}

func TestEdit(t *testing.T) {
	n, err := jsontree.Parse([]byte(`{"a":1,"b":{"c":[2]},"d":3}`), jsontree.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	before := n.Clone()
	b, _ := n.Get("b")
	c, _ := b.Get("c")
	c.Items[0] = jsontree.Node{Kind: jsontree.String, Text: "x"}
	n.Delete("a")
	n.Delete("nothing")
	n.Set("d", jsontree.Node{Kind: jsontree.True})
	n.Set("e", jsontree.Node{})
	if got, want := string(n.AppendJSON(nil)), `{"b":{"c":["x"]},"d":true,"e":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(before.AppendJSON(nil)), `{"a":1,"b":{"c":[2]},"d":3}`; got != want {
		t.Errorf("the clone became %s, want %s", got, want)
	}
	if _, ok := c.Get("x"); ok {
		t.Error("an array has a member")
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,2.50,-0,1e9],"b":{"c":null,"d":"é\ud83d\ude00"},"e":true}`,
		`"\ud800"`, `[[[[[]]]]]`, `{"a":1,"a":2}`, "\"\xff\"", `1e3000000`, ` [1 , {} ]`, `{"a" 1}`, "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := jsontree.Parse(text, jsontree.ArgumentCaps)
		if err != nil {
			return
		}
		written := n.AppendJSON(nil)
		again, err := jsontree.Parse(written, jsontree.ArgumentCaps)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, written, err)
		}
		if diff := cmp.Diff(n, again); diff != "" {
			t.Fatalf("%q became %q: %s", text, written, diff)
		}
		var want any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", text, err)
		}
		if got := n.Any(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %#v, encoding/json has %#v", text, got, want)
		}
	})
}

var arguments = []byte(`{"path":"/var/log/nginx/access.log","limit":20,"follow":false,"levels":["warn","error"],"since":"2026-01-02T03:04:05Z"}`)

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(arguments)))
	for b.Loop() {
		if _, err := jsontree.Parse(arguments, jsontree.ArgumentCaps); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseLarge(b *testing.B) {
	text := []byte("[" + strings.Repeat(string(arguments)+",", 999) + string(arguments) + "]")
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := jsontree.Parse(text, jsontree.ArgumentCaps); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	n, err := jsontree.Parse(arguments, jsontree.ArgumentCaps)
	if err != nil {
		b.Fatal(err)
	}
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = n.AppendJSON(out[:0])
	}
}

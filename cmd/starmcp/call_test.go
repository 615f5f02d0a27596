package main

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPairs(t *testing.T) {
	for _, test := range []struct {
		pairs     []string
		want, err string
	}{
		{nil, `{}`, ""},
		{[]string{"b=1", "a=2"}, `{"b":"1","a":"2"}`, ""},
		{[]string{"n=-5", "e=", "q=a=b"}, `{"n":"-5","e":"","q":"a=b"}`, ""},
		{[]string{`s="<é>` + "\n"}, `{"s":"\"<é>\n"}`, ""},
		{[]string{"=1"}, `{"":"1"}`, ""},
		{[]string{"a=1", "b"}, "", `"b" is no argument: write KEY=VALUE`},
		{[]string{"a=1", "a=2"}, "", `a is given twice: a list is written a='["a", "b"]'`},
	} {
		got, err := pairsJSON(test.pairs)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if string(got) != test.want || message != test.err {
			t.Errorf("%q: got %s, %q; want %s, %q", test.pairs, got, message, test.want, test.err)
		}
	}
}

// FuzzPairs checks that what was typed is what is sent.
func FuzzPairs(f *testing.F) {
	f.Add("a=1\x00b=-x=y")
	f.Add("\"=\\")
	f.Fuzz(func(t *testing.T, typed string) {
		pairs := strings.Split(typed, "\x00")
		object, err := pairsJSON(pairs)
		if err != nil || !utf8.ValidString(typed) {
			return
		}
		var got map[string]string
		if err := json.Unmarshal(object, &got); err != nil {
			t.Fatalf("%v: %s", err, object)
		}
		if len(got) != len(pairs) {
			t.Errorf("%d arguments, typed were %d", len(got), len(pairs))
		}
		for _, pair := range pairs {
			key, value, _ := strings.Cut(pair, "=")
			if got[key] != value {
				t.Errorf("%q became %q", pair, got[key])
			}
		}
	})
}

package engine

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// What editors make of a file: line ends and byte order marks do not matter,
// another encoding than UTF-8 is told.
func TestEncodings(t *testing.T) {
	const text = "\"\"\"Grüße.\"\"\"\n\ndef call(ctx):\n    return \"é 世界 😀\"\n"
	utf16With := func(order binary.AppendByteOrder) string {
		var b []byte
		for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	for _, c := range []struct{ name, text, problem string }{
		{"UTF-8", text, ""},
		{"a byte order mark", "\ufeff" + text, ""},
		{"CRLF", strings.ReplaceAll(text, "\n", "\r\n"), ""},
		{"a byte order mark and CRLF", "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"), ""},
		{"no line end at the end", strings.TrimSuffix(text, "\n"), ""},
		{"Latin-1", "\"\"\"Tells how.\"\"\"\n# gr\u00fc\xfcsse\n", "tool.star:2:6: the byte 0xfc is not UTF-8"},
		{"half of a surrogate pair", "x = \"\xed\xa0\x80\"\n", "tool.star:1:6: the byte 0xed is not UTF-8"},
		{"a character that is cut", text + "# \xf0\x9f\x98", "tool.star:5:3: the byte 0xf0 is not UTF-8"},
		{"UTF-16, little end first", utf16With(binary.LittleEndian), "tool.star:1:1: the byte 0xff is not UTF-8"},
		{"UTF-16, big end first", utf16With(binary.BigEndian), "tool.star:1:1: the byte 0xfe is not UTF-8"},
	} {
		report := Load(mapFS(map[string]string{"tool.star": c.text}), Options{})
		if c.problem != "" {
			if len(report.Problems) != 1 {
				t.Errorf("%s: got %v", c.name, report.Problems)
			} else if p := report.Problems[0]; p.Position()+": "+p.Message != c.problem || p.Hint != "save the file as UTF-8" {
				t.Errorf("%s: got %v", c.name, p)
			}
			continue
		}
		if report.Table == nil {
			t.Errorf("%s: got %v", c.name, report.Problems)
			continue
		}
		description := report.Table.Catalogue().Tools[0].Description
		if got := show(call1(t, report.Table, "")); description != "Grüße." || got != `{"type":"text","text":"é 世界 😀"} ` {
			t.Errorf("%s: it is %q and gives %s", c.name, description, got)
		}
	}
}

// A global that is None is one that is not there.
func TestGlobalsThatAreNone(t *testing.T) {
	var none strings.Builder
	for _, global := range toolGlobals {
		if global != "call" {
			fmt.Fprintf(&none, "%s = None\n", global)
		}
	}
	with, without := one(t, none.String()+"def call(ctx):\n    return 1\n"), one(t, "def call(ctx):\n    return 1\n")
	if got, want := string(encode(with.Catalogue().Tools[0])), string(encode(without.Catalogue().Tools[0])); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

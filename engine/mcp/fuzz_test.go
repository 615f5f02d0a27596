package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// sentMessages are all that the transcripts send.
func sentMessages(f *testing.F) []string {
	files, err := filepath.Glob("../../testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no transcripts:", err)
	}
	var all []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if m, ok := strings.CutPrefix(line, "> "); ok {
				all = append(all, sent(strings.TrimSuffix(m, "\n")))
			}
		}
	}
	return all
}

// FuzzMessage holds that whatever is posted is answered with JSON on one line,
// to the id that was sent if there was one; and that what is not JSON, or could
// be read in another way by others, is not served.
func FuzzMessage(f *testing.F) {
	for _, m := range sentMessages(f) {
		f.Add([]byte(m))
	}
	fake := newFake()
	delete(fake.calls, "slow")
	s := serving(fake, Options{})
	f.Fuzz(func(t *testing.T, body []byte) {
		if bytes.Contains(body, []byte("slow")) {
			return
		}
		w := post(t, s, string(body))
		answer := w.Body.Bytes()
		plain := withoutMark(body)
		var members map[string]json.RawMessage
		err := json.Unmarshal(plain, &members)
		served := w.Code == http.StatusAccepted || bytes.Contains(answer, []byte(`"result":`))
		if served && (err != nil || !utf8.Valid(plain)) {
			t.Fatalf("served %q: %s", body, answer)
		}
		if w.Code == http.StatusAccepted {
			if len(answer) > 0 || members["id"] != nil {
				t.Fatalf("202 with %q for %q", answer, body)
			}
			return
		}
		var reply struct {
			ID            json.RawMessage
			Result, Error *json.RawMessage
		}
		if err := json.Unmarshal(answer, &reply); err != nil || (reply.Result == nil) == (reply.Error == nil) || bytes.ContainsAny(answer, "\r\n") || !utf8.Valid(answer) {
			t.Fatalf("%q: %q, %v", body, answer, err)
		}
		if reply.ID != nil && !bytes.Equal(reply.ID, members["id"]) {
			t.Fatalf("id %s for %q", reply.ID, body)
		}
	})
}

// FuzzLines holds that lines are the same in whatever pieces they come, that
// none is longer than may be, and that a long one ends with its line end.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\r\n\n \t\nccc"), uint64(1))
	f.Add([]byte("\ufeff\r\n\ufeffa\n\ufeff \n\ufeff"), uint64(1))
	f.Add([]byte(strings.Repeat("x", 70)+"\nafter\n"), uint64(2))
	f.Add([]byte(strings.Repeat("x", 64)+"\r\n"+strings.Repeat("y", 65)+"\r\n"), uint64(3))
	for i, m := range sentMessages(f) {
		f.Add([]byte(m+"\r\n"+m), uint64(i))
	}
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		const most = 64
		read := func(in io.Reader) (lines []string) {
			for l := newLineReader(in, most); ; {
				switch line, err := l.next(); {
				case errors.Is(err, io.EOF):
					return lines
				case errors.Is(err, errLongLine):
					lines = append(lines, "long")
				case err != nil || len(line) == 0 || len(line) > most || bytes.IndexByte(line, '\n') >= 0:
					t.Fatalf("line %q, %v", line, err)
				default:
					lines = append(lines, "line "+string(line))
				}
			}
		}
		whole := read(bytes.NewReader(input))
		pieces := read(&piecemeal{data: input, rand: rand.New(rand.NewPCG(seed, 0))})
		if !slices.Equal(whole, pieces) {
			t.Fatalf("whole %q, in pieces %q", whole, pieces)
		}
		var want []string
		for line := range bytes.SplitSeq(input, []byte("\n")) {
			if line = bytes.TrimRight(line, "\r"); len(line) > most {
				want = append(want, "long")
			} else if line = bytes.Trim(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r\n"); len(line) > 0 {
				want = append(want, "line "+string(line))
			}
		}
		if !slices.Equal(whole, want) {
			t.Fatalf("got %q, want %q", whole, want)
		}
	})
}

// FuzzHeaderValue holds that a header says the same as an argument exactly when
// it is what a client would send for it.
func FuzzHeaderValue(f *testing.F) {
	for _, s := range []string{"", "us-west1", "Hello, 世界", " padded ", "line1\nline2", "=?base64?literal?=", "=?base64?", "\x00\xff", "42", "true"} {
		f.Add(s, "42.0")
	}
	for _, n := range []string{"0", "-0", "0.0e5", "1e3", "1E+3", "10e-1", "9007199254740993", "1e99999999999", "01", "+1", ".5", "1.", "0x10"} {
		f.Add(n, "42")
	}
	f.Fuzz(func(t *testing.T, s, number string) {
		coded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
		if got, problem := oneEncoded(http.Header{"X": {coded}}, "X"); got != s || problem != "" {
			t.Fatalf("%q came out as %q (%s)", s, got, problem)
		}
		if value, problem := oneEncoded(http.Header{"X": {s}}, "X"); problem == "" {
			quoted, err := json.Marshal(value)
			if err != nil || utf8.ValidString(value) && !sameValue(value, quoted) {
				t.Fatalf("%q is not itself", value)
			}
			if sameValue(value+"x", quoted) {
				t.Fatalf("%q is something else", value)
			}
		}
		if a, ok := parseDecimal(s); ok && len(s) < 20 && len(number) < 20 {
			if b, ok := parseDecimal(number); ok && small(a) && small(b) {
				x, _ := new(big.Rat).SetString(s)
				y, _ := new(big.Rat).SetString(number)
				if (x.Cmp(y) == 0) != sameValue(s, raw(number)) {
					t.Fatalf("%s and %s", s, number)
				}
			}
		}
	})
}

func small(d decimal) bool { return d.exponent < 1000 && d.exponent > -1000 }

// FuzzCursor holds that a cursor is read as the name that it was made of, and
// that there is one cursor for a name.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"", "disk_usage", "not-a-cursor", "YWZ0ZXI6c2xvdw", "YWZ0ZXI6dh", "after:x", "\n", "YWZ0\nZXI6"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if name, ok := parseCursor(cursorAfter(s)); !ok || name != s {
			t.Fatalf("%q came out as %q", s, name)
		}
		if name, ok := parseCursor(s); ok && cursorAfter(name) != s {
			t.Fatalf("%q is another cursor for %q", s, name)
		}
	})
}

package clients

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestBasics has every library, in its default revision and in the newest
// legacy one, over HTTP and stdio, do what any host does.
func TestBasics(t *testing.T) {
	overBoth(t, toolsDir, func(t *testing.T, where endpoint) {
		for _, l := range libraries {
			for _, revision := range []string{"", "2025-11-25"} {
				want := cmp.Or(revision, revisions[0])
				t.Run(l.name+"/"+want, func(t *testing.T) {
					p := l.connect(t, where, revision)
					if got := p.revision(); got != want {
						t.Errorf("the client speaks %s, want %s", got, want)
					}
					for _, b := range basics {
						t.Run(b.name, func(t *testing.T) { b.check(t, p) })
					}
				})
			}
		}
	})
}

// basics run in this order on one connection: what comes after a failure must
// still work.
var basics = []struct {
	name  string
	check func(t *testing.T, p peer)
}{
	{"list", checkList},
	{"success", func(t *testing.T, p peer) { checkEcho(t, p, "hello") }},
	{"isError", checkIsError},
	{"bad arguments", checkBadArguments},
	{"unknown tool", checkUnknownTool},
	{"unicode", func(t *testing.T, p peer) { checkEcho(t, p, awkwardText) }},
	{"big integers", checkBigIntegers},
	{"link", checkLink},
}

// awkwardText has what JSON escapes, what JavaScript takes for the end of a
// line, and characters beyond the basic plane.
const awkwardText = "Grüße \"世界\" 🌍 \\ / \t\n\u2028\u2029\u0000\u007f e\u0301 \U0010FFFF"

func checkList(t *testing.T, p peer) {
	tools, err := p.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range tools {
		names = append(names, l.Name)
		if l.Name == "echo" && (l.Title != "Echo 🔁" || !strings.HasSuffix(l.Description, "世界, 🌍.")) {
			t.Errorf("echo came as title %q, description %q", l.Title, l.Description)
		}
	}
	want := []string{"digits", "echo", "link", "output_array", "output_object", "output_ref", "output_scalar", "output_union", "refuse"}
	if !slices.Equal(names, want) {
		t.Errorf("tools are %q, want %q", names, want)
	}
}

func checkEcho(t *testing.T, p peer, text string) {
	a, err := p.call(t.Context(), "echo", map[string]any{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	if a.IsError || len(a.Content) != 1 || a.Content[0].Text != text {
		t.Errorf("echo of %q came back as %+q", text, a.Content)
	}
}

func checkIsError(t *testing.T, p peer) {
	a, err := p.call(t.Context(), "refuse", nil)
	if err != nil {
		t.Fatalf("a failed tool is a result, not %v", err)
	}
	if !a.IsError || !strings.Contains(text(a), "ask again after the maintenance window") {
		t.Errorf("got isError %v and %q", a.IsError, text(a))
	}
}

func checkBadArguments(t *testing.T, p peer) {
	a, err := p.call(t.Context(), "echo", map[string]any{"txet": "hello"})
	if err != nil {
		t.Fatalf("bad arguments are a result, not %v", err)
	}
	if !a.IsError || !strings.Contains(text(a), "text") {
		t.Errorf("got isError %v and %q", a.IsError, text(a))
	}
}

func checkUnknownTool(t *testing.T, p peer) {
	a, err := p.call(t.Context(), "no_such_tool", nil)
	if err == nil {
		t.Fatalf("an unknown tool answered %+v", a)
	}
	if !strings.Contains(err.Error(), "no_such_tool") {
		t.Errorf("the client's error does not name the tool: %v", err)
	}
}

// checkBigIntegers sends integers that no double holds. Their digits come back
// as text, since a client may read numbers as doubles.
func checkBigIntegers(t *testing.T, p peer) {
	for _, digits := range []string{
		"9007199254740993", "-9007199254740993", "18446744073709551615", "1234567890123456789012345678901234567890",
	} {
		a, err := p.call(t.Context(), "digits", map[string]any{"n": json.RawMessage(digits)})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Digits string }
		if err := json.Unmarshal(structured(a), &got); err != nil {
			t.Fatalf("%s: %v", digits, err)
		}
		if got.Digits != digits {
			t.Errorf("%s arrived as %q", digits, got.Digits)
		}
	}
}

func checkLink(t *testing.T, p peer) {
	a, err := p.call(t.Context(), "link", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Content) != 1 || a.Content[0].Type != "resource_link" || a.Content[0].URI != "file:///etc/hostname" {
		t.Errorf("got %+v", a.Content)
	}
}

// text returns all text of an answer.
func text(a *answer) string {
	var all []string
	for _, b := range a.Content {
		all = append(all, b.Text)
	}
	return strings.Join(all, "\n")
}

// structured returns the structured value of an answer, or for revisions that
// have none the text that stands for it.
func structured(a *answer) json.RawMessage {
	if a.StructuredContent != nil {
		return a.StructuredContent
	}
	return json.RawMessage(text(a))
}

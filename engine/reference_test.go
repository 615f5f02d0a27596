package engine

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/builtins"
)

// TestReferenceIsComplete holds the reference to what the loader reads.
func TestReferenceIsComplete(t *testing.T) {
	reads := regexp.MustCompile(`f\.(?:str|dict|needs|document)\("(\w+)"|f\.globals\["(\w+)"\]`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	documented := slices.Concat(toolGlobals, serverGlobals)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reads.FindAllStringSubmatch(string(text), -1) {
			found++
			if name := m[1] + m[2]; !slices.Contains(documented, name) {
				t.Errorf("%s reads the global %s, which the reference lacks", file, name)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d globals are read: has the way to read them another name?", found)
	}
	if got, want := namesOf(limitDocs), limitNames(); !slices.Equal(got, want) {
		t.Errorf("limits are documented with %v, and have %v", got, want)
	}
	var hints []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Annotations]()) {
		hint, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		hints = append(hints, hint)
	}
	if !slices.Equal(hintNames, hints) {
		t.Errorf("annotations are documented with %v, and have %v", hintNames, hints)
	}
}

// TestReferenceIsTrue sees to it that each global in the reference means
// something: a value that can never be right is a problem at its line.
func TestReferenceIsTrue(t *testing.T) {
	const tool = "\"\"\"A tool.\"\"\"\n\ndef call(ctx):\n    return 1\n"
	for _, topic := range Reference(nil) {
		for _, g := range topic.Globals {
			files := map[string]string{"a.star": tool, "server.star": "\n" + g.Name + " = len\n"}
			if topic.Name == "tool" {
				files = map[string]string{"a.star": "\"\"\"A tool.\"\"\"\n" + g.Name + " = len\n"}
				if g.Name != "call" {
					files["a.star"] += "\ndef call(ctx):\n    return 1\n"
				}
			}
			report := Load(mapFS(files), Options{})
			if !slices.ContainsFunc(report.Problems, func(p Problem) bool { return p.Line == 2 }) {
				t.Errorf("%s: %s = len is no problem: %v", topic.Name, g.Name, report.Problems)
			}
		}
	}
}

// TestReferenceIsWritten has full sentences about everything, and keys for needs
// and grants from whoever offers them.
func TestReferenceIsWritten(t *testing.T) {
	offered := []builtins.Attr{{Name: "read", Doc: "to read."}}
	for _, topic := range Reference(offered) {
		docs := map[string]string{topic.Name: topic.Doc}
		for _, g := range topic.Globals {
			docs[g.Name] = g.Doc
			for _, k := range g.Keys {
				docs[g.Name+"."+k.Name] = k.Doc
			}
			if !strings.Contains(g.Example, g.Name) {
				t.Errorf("%s: %s has no example", topic.Name, g.Name)
			}
			if (g.Name == "needs" || g.Name == "grants") && !slices.Equal(g.Keys, offered) {
				t.Errorf("%s: %s has the keys %v", topic.Name, g.Name, g.Keys)
			}
		}
		for _, s := range topic.Sections {
			for _, item := range s.Items {
				docs[s.Title+": "+item.Name] = item.Doc
			}
		}
		for what, doc := range docs {
			if !strings.HasSuffix(doc, ".") {
				t.Errorf("%s: %s needs a full sentence, not %q", topic.Name, what, doc)
			}
		}
	}
}

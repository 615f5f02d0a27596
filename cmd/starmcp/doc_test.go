package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocExamples makes a directory of what the reference shows, and uses it.
func TestDocExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{"tool": "disk.star", "server": "server.star"}
	for _, topic := range docTopics() {
		var text strings.Builder
		for _, g := range topic.Globals {
			text.WriteString(g.Example + "\n")
		}
		if err := os.WriteFile(files[topic.Name], []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := typed("starmcp check ."); !strings.Contains(got, "ok  1 tool in 2 files") {
		t.Errorf("check says\n%s", got)
	}
	if got := typed("starmcp call . disk_usage"); !regexp.MustCompile(`^{\n  "used_percent": \d+\n}\n$`).MatchString(got) {
		t.Errorf("call says\n%s", got)
	}
}

// TestDocFile holds docs/reference.md to what doc writes.
func TestDocFile(t *testing.T) {
	file, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != typed("starmcp doc --format=markdown") {
		t.Error("docs/reference.md is out of date: go run ./cmd/starmcp doc --format=markdown > docs/reference.md")
	}
}

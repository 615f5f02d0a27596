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

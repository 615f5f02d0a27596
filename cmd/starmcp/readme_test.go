package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestREADME writes the tool that README.md shows, and types what it types.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	t.Chdir(t.TempDir())
	calls := 0
	for _, block := range blocks {
		switch language, code := block[1], block[2]; {
		case language == "python" && strings.Contains(code, "def call("):
			if err := os.WriteFile("greet.star", []byte(code), 0o666); err != nil {
				t.Fatal(err)
			}
		case language == "console" && strings.HasPrefix(code, "$ starmcp call "):
			for _, session := range strings.Split(code, "$ ")[1:] {
				line, want, _ := strings.Cut(session, "\n")
				calls++
				if got := typed(line); got != want {
					t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
				}
			}
		}
	}
	if calls == 0 {
		t.Error("README.md calls no tool any more")
	}
}

// typed returns what a command prints: its report, or its complaint.
func typed(line string) string {
	var stdout, stderr bytes.Buffer
	run(strings.Fields(line), strings.NewReader(""), &stdout, &stderr)
	if stdout.Len() > 0 {
		return stdout.String()
	}
	return stderr.String()
}

// TestREADMECommands holds README.md to commands, flags and files that exist.
func TestREADMECommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?m)(?:^    |^\\$ |`)starmcp ([a-z]+)").FindAllStringSubmatch(string(text), -1) {
		if got := typed("starmcp help " + m[1]); !strings.HasPrefix(got, "starmcp "+m[1]+":") {
			t.Errorf("README.md uses the command %s: %s", m[1], got)
		}
	}
	help := typed("starmcp help serve")
	for _, m := range regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(strings.ReplaceAll(string(text), "--transport", ""), -1) {
		if !strings.Contains(help, m) {
			t.Errorf("README.md uses the flag %s, which serve does not have", m)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/_]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		dir, tool := filepath.Join("../..", m[1]), filepath.Join("../../tools", m[1]+".star")
		if !exists(dir) && !exists(tool) && m[1] != "read" && m[1] != "stat" {
			t.Errorf("README.md lists %s, which is neither a package nor a tool", m[1])
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestClaimStdout writes to all that there is once the output is claimed.
func TestClaimStdout(t *testing.T) {
	create := func(name string) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	stdout, stderr := create("stdout"), create("stderr")
	protocol, err := claimStdout(stdout, stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer protocol.Close()
	for _, w := range []struct {
		to   io.Writer
		text string
	}{{stdout, "stray\n"}, {protocol, "protocol\n"}, {stderr, "log\n"}} {
		if _, err := io.WriteString(w.to, w.text); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(stdout.Name()); got != "protocol\n" {
		t.Errorf("the client got %q", got)
	}
	if got := read(stderr.Name()); got != "stray\nlog\n" {
		t.Errorf("standard error has %q", got)
	}
}

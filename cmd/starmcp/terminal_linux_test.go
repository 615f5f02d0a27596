package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a new terminal: what is written to inside
// can be read from outside.
func openTerminal(t *testing.T) (outside, inside *os.File) {
	t.Helper()
	outside, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no terminals to give: %v", err)
	}
	t.Cleanup(func() { outside.Close() })
	if err := unix.IoctlSetPointerInt(int(outside.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetUint32(int(outside.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	inside, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inside.Close() })
	return outside, inside
}

func TestColourOnTerminals(t *testing.T) {
	dir := t.TempDir()
	hello := "\"\"\"Says hello.\"\"\"\ndef call(ctx):\n    return 1\n"
	if err := os.WriteFile(filepath.Join(dir, "hello.star"), []byte(hello), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		noColor, term string
		want          bool
	}{
		{"", "xterm", true},
		{"1", "xterm", false},
		{"", "dumb", false},
	} {
		t.Run(fmt.Sprintf("NO_COLOR=%s,TERM=%s", test.noColor, test.term), func(t *testing.T) {
			t.Setenv("NO_COLOR", test.noColor)
			t.Setenv("TERM", test.term)
			outside, inside := openTerminal(t)
			if code := run([]string{"starmcp", "check", dir}, strings.NewReader(""), inside, io.Discard); code != exitOK {
				t.Fatalf("exit code %d", code)
			}
			text := make([]byte, 4096)
			n, err := outside.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(text[:n]), "\x1b["); got != test.want {
				t.Errorf("colour is %t, want %t: %q", got, test.want, text[:n])
			}
		})
	}
}

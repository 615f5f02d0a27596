package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// TestSmallAddressSpace calls a tool where a process may have less of the
// address space than the interpreter would like to reserve for its ints.
func TestSmallAddressSpace(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector needs more of it by itself")
	}
	dir := t.TempDir()
	ints := "\"\"\"Counts.\"\"\"\ndef call(ctx):\n    return [1, -1, 1 << 31, 1 << 70]\n"
	if err := os.WriteFile(filepath.Join(dir, "ints.star"), []byte(ints), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("sh", "-c", `ulimit -v 3000000 && exec starmcp call "$0" ints`, dir).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "1180591620717411303424") {
		t.Errorf("%v: %s", err, out)
	}
}

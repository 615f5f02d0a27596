package clients

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestNode drives the binary with what people run on Node: the TypeScript SDKs,
// the Inspector and the conformance suite. It needs Node 22 or later, under the
// name that the environment variable NODE gives or as node, and the packages
// that `npm install` puts into node/node_modules.
func TestNode(t *testing.T) {
	node := findNode(t)
	if _, err := os.Stat("node/node_modules"); err != nil {
		t.Skip("skipped: node/node_modules is missing; run npm install in clients/node")
	}
	for _, script := range []string{"basics", "outputs", "inspector", "conformance"} {
		t.Run(script, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), node, "node/"+script+".mjs")
			cmd.Env = append(os.Environ(), "STARMCP_BINARY="+starmcp)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, failures(string(out)))
				return
			}
			t.Log(summary(string(out)))
		})
	}
}

// findNode returns a Node that is recent enough, or skips the test.
func findNode(t *testing.T) string {
	t.Helper()
	node := os.Getenv("NODE")
	if node == "" {
		node = "node"
	}
	out, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Skipf("skipped: there is no Node here: %v", err)
	}
	version := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 22 {
		t.Skipf("skipped: Node %s is too old, 22 is needed", version)
	}
	return node
}

// failures drops the lines of checks that passed.
func failures(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "ok ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// summary returns the last line.
func summary(out string) string {
	out = strings.TrimSpace(out)
	return out[strings.LastIndexByte(out, '\n')+1:]
}

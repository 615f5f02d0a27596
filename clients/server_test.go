package clients

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

const (
	toolsDir       = "testdata/tools"
	conformanceDir = "../testdata/conformance"
)

// starmcp is the path of the binary under test.
var starmcp string

// TestMain builds the binary once for all tests, unless STARMCP_BINARY names
// one that is to be tested instead.
func TestMain(m *testing.M) {
	if starmcp = os.Getenv("STARMCP_BINARY"); starmcp != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "starmcp-clients-")
	if err == nil {
		starmcp, err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// build puts the binary into dir and returns its path.
func build(dir string) (string, error) {
	path := filepath.Join(dir, "starmcp")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", path, "./cmd/starmcp")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build starmcp: %w\n%s", err, out)
	}
	return path, nil
}

// serveHTTP serves dir until the test ends and returns the endpoint's URL.
func serveHTTP(t *testing.T, dir string) string {
	t.Helper()
	address := freeAddress(t)
	var log bytes.Buffer
	cmd := exec.Command(starmcp, "serve", dir, "--listen", address)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("starmcp serve printed:\n%s", &log)
		}
	})
	for range 2000 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return "http://" + address + "/mcp"
		}
		select {
		case <-ended:
			t.Fatalf("starmcp serve ended: %s", &log)
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatal("starmcp serve does not listen")
	return ""
}

// stdioArgs are the arguments with which the binary serves dir on its standard
// streams.
func stdioArgs(dir string) []string { return []string{"serve", "--stdio", dir} }

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/mcp"
)

// scratchVariable names the folder in which children find what prepare made.
const scratchVariable = "STARMCP_BENCH_SCRATCH"

// starmcpHandler serves the Starlark tool as a Go program does that uses
// starmcp as a library.
func starmcpHandler(tools int) (http.Handler, error) {
	report := engine.Load(os.DirFS(toolsDir(tools)), engine.Options{})
	if report.Table == nil {
		return nil, report.Problems
	}
	service := func() engine.Service { return report.Table }
	return mcp.New(service, mcp.Options{Loopback: true}), nil
}

// starmcpServe is the starmcp command, quiet as the others are.
func starmcpServe(tools int, where ...string) (*exec.Cmd, error) {
	args := append([]string{"serve", toolsDir(tools), "--log-level", "warn"}, where...)
	return exec.Command(starmcpBinary(), args...), nil
}

func starmcpServeHTTP(tools int, address string) (*exec.Cmd, error) {
	return starmcpServe(tools, "--listen", address)
}

func starmcpServeStdio(tools int) (*exec.Cmd, error) {
	return starmcpServe(tools, "--stdio")
}

// toolsDir is the directory with that many tools.
func toolsDir(tools int) string {
	return filepath.Join(os.Getenv(scratchVariable), "tools-"+strconv.Itoa(tools))
}

func starmcpBinary() string {
	name := "starmcp"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(os.Getenv(scratchVariable), name)
}

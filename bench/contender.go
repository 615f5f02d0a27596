package main

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// A contender is one way to serve the tool. Each runs in a process of its own,
// so that no two share a heap or a scheduler.
type contender struct {
	name  string
	about string

	// These run in a child of this program.
	handler func(tools int) (http.Handler, error)
	stdio   func(tools int) error

	// These are commands of another program, where the functions are nil.
	httpCommand  func(tools int, address string) (*exec.Cmd, error)
	stdioCommand func(tools int) (*exec.Cmd, error)
}

const baseline = "go-sdk" // what ratios are taken against
const floor = "bare"      // what net/http and encoding/json alone can do

var httpContenders = []contender{
	{
		name:    "starmcp",
		about:   "a Starlark tool, in process: engine.Load and mcp.New",
		handler: starmcpHandler,
	},
	{
		name:        "starmcp serve",
		about:       "the same tool from the starmcp command",
		httpCommand: starmcpServeHTTP,
	},
	goSDK,
	mcpGo,
	bare,
}

var stdioContenders = []contender{
	{
		name:         "starmcp serve",
		about:        "the starmcp command",
		stdioCommand: starmcpServeStdio,
	},
	goSDK,
	mcpGo,
	bare,
}

var goSDK = contender{
	name:    baseline,
	about:   "a Go tool on the official Go SDK v1.8.0, stateless, JSON answers",
	handler: goSDKHandler,
	stdio:   goSDKStdio,
}

var mcpGo = contender{
	name:    "mcp-go",
	about:   "a Go tool on mcp-go v1.2.1, stateless",
	handler: mcpGoHandler,
	stdio:   mcpGoStdio,
}

var bare = contender{
	name:    floor,
	about:   "a Go tool on net/http and encoding/json, without the protocol",
	handler: bareHandler,
	stdio:   bareStdio,
}

// find returns the contender that a child is to serve.
func find(name string) (contender, bool) {
	i := slices.IndexFunc(httpContenders, func(c contender) bool { return c.name == name })
	if i < 0 {
		return contender{}, false
	}
	return httpContenders[i], true
}

// serveHTTP returns the process that serves c at address.
func (c contender) serveHTTP(tools int, address string) (*exec.Cmd, error) {
	if c.httpCommand != nil {
		return c.httpCommand(tools, address)
	}
	return c.child("-tools", strconv.Itoa(tools), "-listen", address)
}

// serveStdio returns the process that serves c on its standard streams.
func (c contender) serveStdio(tools int) (*exec.Cmd, error) {
	if c.stdioCommand != nil {
		return c.stdioCommand(tools)
	}
	return c.child("-tools", strconv.Itoa(tools))
}

// child returns this program as a server.
func (c contender) child(args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(self, append([]string{childCommand, "-contender", c.name}, args...)...), nil
}

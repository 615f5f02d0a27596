package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// A connection is what somebody needs to connect a client to a directory.
type connection struct {
	url     string
	name    string   // what the client may call this server
	command []string // serves the same directory over stdio; the first is the program
}

// connectionTo describes a directory that is served at url under a name, which
// may be empty. flags are those that decide what is loaded.
func connectionTo(url, dir, name string, flags []string) connection {
	program, err := os.Executable()
	if err != nil {
		program = "starmcp"
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	return connection{
		url:     url,
		name:    clientName(cmp.Or(name, filepath.Base(abs))),
		command: append([]string{program, "serve", abs, "--stdio"}, flags...),
	}
}

// typedLoadFlags returns the load flags as they would be typed once more.
func typedLoadFlags(c *cli.Context) []string {
	var typed []string
	for _, f := range loadFlags() {
		name := f.Names()[0]
		values := c.StringSlice(name)
		if _, one := f.(*cli.StringFlag); one && c.IsSet(name) {
			values = []string{c.String(name)}
		}
		switch {
		case len(values) > 0:
			typed = append(typed, "--"+name+"="+strings.Join(values, ","))
		case c.Bool(name):
			typed = append(typed, "--"+name)
		}
	}
	return typed
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// clientName makes a name that every client accepts for a server.
func clientName(name string) string {
	return cmp.Or(strings.Trim(notInNames.ReplaceAllString(name, "-"), "-"), "starmcp")
}

// print writes ready-made configurations for the usual hosts.
func (c connection) print(w io.Writer) {
	fmt.Fprintf(w, `Claude Code:
  claude mcp add --transport http %[1]s %[2]s
VS Code, in .vscode/mcp.json:
  %[3]s
Claude Desktop and others that start the server themselves, in their mcpServers:
  %[4]s
By hand:
  curl -s %[2]s -H 'Content-Type: application/json' -H 'Accept: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
`, c.name, c.url, c.httpJSON(), c.stdioJSON())
}

func (c connection) httpJSON() string {
	return compactJSON(map[string]any{"servers": map[string]any{
		c.name: struct {
			Type string `json:"type"`
			URL  string `json:"url"`
		}{"http", c.url},
	}})
}

func (c connection) stdioJSON() string {
	return compactJSON(map[string]any{"mcpServers": map[string]any{
		c.name: struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		}{c.command[0], c.command[1:]},
	}})
}

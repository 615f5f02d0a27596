package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine/mcp"
)

// programName is what the program says of itself where nothing else is said.
const programName = "starmcp"

func (sh shell) versionCommand() *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "say which starmcp this is and which revisions of MCP it speaks",
		Description: "Prints the version, the commit that it was built from, the Go release, and the\nrevisions of the protocol that clients may speak.",
		UsageText:   "  starmcp version",
		Action: func(c *cli.Context) error {
			if _, err := positional(c); err != nil {
				return err
			}
			fmt.Fprintf(sh.out, "starmcp %s\n", version())
			if from := commit(); from != "" {
				fmt.Fprintf(sh.out, "%s\n", from)
			}
			fmt.Fprintf(sh.out, "%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
			fmt.Fprintf(sh.out, "MCP %s\n", strings.Join(mcp.Revisions(), ", "))
			return nil
		},
	}
}

// version returns the module's version, as far as the Go toolchain recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// commit returns what the program was built from, or "".
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text = "commit " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", with local changes"
		}
	}
	return text
}

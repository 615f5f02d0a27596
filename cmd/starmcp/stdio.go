package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine/mcp"
)

// serveStdio serves the one client at standard input and output.
func (sh shell) serveStdio(c *cli.Context, dir string) error {
	if c.IsSet("listen") {
		return usagef(c, "--stdio serves no address: leave out --listen, or --stdio")
	}
	protocol, err := sh.claimOutput()
	if err != nil {
		return err
	}
	tools, closeTools, log, err := sh.startingTools(c, dir, sh.err)
	if err != nil {
		return err
	}
	defer closeTools()
	ctx, stop := untilSignal(c.Context, log)
	defer stop()
	logServing(log, tools, "transport", "stdio")
	err = newServer(tools, mcp.Options{Logger: log}).ServeStdio(ctx, sh.in, protocol)
	log.Info("stopped")
	return err
}

// claimOutput returns the way to the client, which nobody else can write to.
func (sh shell) claimOutput() (io.Writer, error) {
	stdout, ok := sh.out.(*os.File)
	stderr, both := sh.err.(*os.File)
	if !ok || !both {
		return sh.out, nil
	}
	return claimStdout(stdout, stderr)
}

package main

import (
	"io"
	"log/slog"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/mcp"
)

func (sh shell) serveCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve",
		Usage:     "serve a directory of tools to MCP clients, over HTTP or stdio",
		ArgsUsage: "DIR",
		Description: `Loads DIR, once, and serves its tools at http://ADDRESS` + mcpPath + ` until it is told to
stop. What it prints at the start includes ready-made configuration for clients.
With --stdio it serves the one client that started it.

A directory with a problem is not served at all: the problems are reported as
check does, the exit code is 1, and nothing listens.

SIGINT or SIGTERM lets running calls go on for five seconds and then ends with
0. A second one ends at once.`,
		UsageText: `  starmcp serve ./tools
  starmcp serve ./tools --listen=127.0.0.1:9000 --allow-read=/var/log --log-format=json
  starmcp serve ./tools --only=disk_usage,net_* --stdio`,
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8080", Usage: "serve HTTP at this `ADDRESS`; port 0 is any free one"},
			&cli.BoolFlag{Name: "stdio", Usage: "serve the client at standard input and output instead; nothing but the protocol is written there"},
			&cli.BoolFlag{Name: "insecure-no-auth", Usage: "listen beyond loopback, where anybody can call the tools"},
			&cli.StringFlag{Name: "watch", Value: "off", Usage: "how changes to DIR are noticed: only `off`, which leaves them to the next start"},
		}, logFlags()...), loadFlags()...),
		Action: func(c *cli.Context) error {
			args, err := positional(c, "DIR")
			if err != nil {
				return err
			}
			return sh.serve(c, args[0])
		},
	}
}

func (sh shell) serve(c *cli.Context, dir string) error {
	if got := c.String("watch"); got != "off" {
		return usagef(c, "--watch=%s: this version knows off alone", got)
	}
	if c.Bool("stdio") {
		return sh.serveStdio(c, dir)
	}
	return sh.serveHTTP(c, dir)
}

// startingTools loads what is to be served. Where that fails, the report is
// the one that check gives, on the given writer. close is to be called when
// nothing is served any more.
func (sh shell) startingTools(c *cli.Context, dir string, reports io.Writer) (tools engine.Toolset, close func(), log *slog.Logger, err error) {
	if log, err = sh.logger(c); err != nil {
		return nil, nil, nil, err
	}
	report, err := load(c, dir, log, false)
	if err != nil {
		return nil, nil, nil, err
	}
	if report.Tools == nil {
		newReporter(reports, dir).failure(report, "; not serving")
		return nil, nil, nil, errWrong
	}
	return report.Tools, report.close, log, nil
}

// newServer returns a server of the tools.
func newServer(tools engine.Toolset, opts mcp.Options) *mcp.Server {
	opts.Name, opts.Version = programName, version()
	return mcp.New(func() engine.Service { return tools }, opts)
}

func logServing(log *slog.Logger, tools engine.Toolset, how, where string) {
	log.Info("serving", how, where, "tools", len(tools.Tools()), "digest", tools.Digest())
}

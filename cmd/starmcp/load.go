package main

import (
	"fmt"
	"log/slog"
	"path"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
)

// loadFlags are the flags of every command that loads a directory: one for each
// capability that can be granted, and which tools are loaded at all.
func loadFlags() []cli.Flag {
	var flags []cli.Flag
	for _, capability := range host.Capabilities() {
		flags = append(flags, &cli.StringSliceFlag{
			Name:  capability.Flag,
			Usage: "let tools " + capability.Doc + ", as far as they need to: `PATTERNS` with commas between",
		})
	}
	return append(flags, &cli.StringSliceFlag{Name: "only", Usage: "load only the tools with these `NAMES`, where * is any text"})
}

// grantFlag returns the flag that grants a capability.
func grantFlag(capability string) string {
	for _, c := range host.Capabilities() {
		if c.Name == capability {
			return "--" + c.Flag
		}
	}
	return ""
}

// granted returns the grants that the flags make.
func granted(c *cli.Context, log *slog.Logger) (engine.Policy, error) {
	var policy engine.Policy = host.New(host.Options{Logger: log})
	for _, capability := range host.Capabilities() {
		flag := grantFlag(capability.Name)
		with, wrong := policy.With(engine.Needs{capability.Name: c.StringSlice(capability.Flag)}, flag)
		if len(wrong) > 0 {
			return nil, usagef(c, "%s: %s", flag, withHint(wrong[0].Message, wrong[0].Hint))
		}
		policy = with
	}
	return policy, nil
}

// load loads a directory as the flags say. What its scripts print and log, then
// and when they are called, goes to log.
func load(c *cli.Context, dir string, log *slog.Logger, assumeGranted bool) (*engine.Report, error) {
	policy, err := granted(c, log)
	if err != nil {
		return nil, err
	}
	fsys, err := openDirectory(dir)
	if err != nil {
		return nil, err
	}
	report := engine.Load(fsys, engine.Options{
		Policy:        policy,
		AssumeGranted: assumeGranted,
		Only:          c.StringSlice("only"),
		Print: func(file string, line int, text string) {
			log.Info(text, "at", fmt.Sprintf("%s:%d", file, line))
		},
	})
	for _, why := range report.Skipped {
		log.Info("skipped: " + why)
	}
	return report, checkOnly(c, report.Table)
}

// checkOnly finds patterns of --only that chose nothing: a misspelt name would
// otherwise be a tool that is silently missing.
func checkOnly(c *cli.Context, table *engine.Table) error {
	if table == nil {
		return nil
	}
	for _, pattern := range c.StringSlice("only") {
		chosen := func(t *engine.Tool) bool {
			ok, err := path.Match(pattern, t.Descriptor.Name)
			return ok && err == nil
		}
		if !slices.ContainsFunc(table.Tools(), chosen) {
			return usagef(c, "--only=%s: no tool has such a name", pattern)
		}
	}
	return nil
}

func withHint(message, hint string) string {
	if hint == "" {
		return message
	}
	return message + " (" + hint + ")"
}

// table loads a directory for commands that need its tools. What is wrong with
// it goes to standard error: their output is something else.
func (sh shell) table(c *cli.Context, dir string, assumeGranted bool) (*engine.Table, error) {
	report, err := load(c, dir, sh.scriptLog(), assumeGranted)
	if err != nil {
		return nil, err
	}
	if report.Table == nil {
		newReporter(sh.err, dir).failure(report, "")
		return nil, errWrong
	}
	return report.Table, nil
}

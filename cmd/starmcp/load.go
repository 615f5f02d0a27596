package main

import (
	"log/slog"
	"path"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
	"github.com/starmcp/starmcp/engine/sandbox"
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
	return append(flags,
		&cli.StringSliceFlag{Name: "only", Usage: "load only the tools with these `NAMES`, where * is any text"},
		&cli.StringFlag{Name: "isolation", Value: "none", Usage: isolationUsage},
		&cli.BoolFlag{Name: "unfiltered", Usage: "with --isolation=process: do without the filter of system calls, for where the kernel has none"},
	)
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

// grants returns what the flags grant.
func grants(c *cli.Context) []sandbox.Grant {
	var all []sandbox.Grant
	for _, capability := range host.Capabilities() {
		all = append(all, sandbox.Grant{
			Needs:  engine.Needs{capability.Name: c.StringSlice(capability.Flag)},
			Source: grantFlag(capability.Name),
		})
	}
	return all
}

// policyOf returns the policy of the flags.
func policyOf(c *cli.Context, log *slog.Logger) (engine.Policy, error) {
	var policy engine.Policy = host.New(host.Options{Logger: log})
	for _, grant := range grants(c) {
		with, wrong := policy.With(grant.Needs, grant.Source)
		if len(wrong) > 0 {
			return nil, usagef(c, "%s: %s", grant.Source, withHint(wrong[0].Message, wrong[0].Hint))
		}
		policy = with
	}
	return policy, nil
}

// A loaded is what a directory came to.
type loaded struct {
	Tools    engine.Toolset // nil as soon as there is a problem
	Problems engine.Problems
	Warnings engine.Problems
	Files    int // Starlark files read

	close func() // ends the processes that Tools runs in, if any
}

// load loads a directory as the flags say. What its scripts print and log, then
// and when they are called, goes to log.
func load(c *cli.Context, dir string, log *slog.Logger, assumeGranted bool) (*loaded, error) {
	if err := checkIsolation(c); err != nil {
		return nil, err
	}
	policy, err := policyOf(c, log)
	if err != nil {
		return nil, err
	}
	fsys, err := openDirectory(dir)
	if err != nil {
		return nil, err
	}
	out, skipped, err := isolations[c.String("isolation")](c, fsys, policy, log, assumeGranted)
	if err != nil {
		return nil, err
	}
	for _, why := range skipped {
		log.Info("skipped: " + why)
	}
	if out.Tools != nil && out.Files == 0 {
		log.Warn("found no .star file in " + dir + ", and each would be a tool: is it the right directory?")
	}
	return out, checkOnly(c, out.Tools)
}

// checkOnly finds patterns of --only that chose nothing: a misspelt name would
// otherwise be a tool that is silently missing.
func checkOnly(c *cli.Context, tools engine.Toolset) error {
	if tools == nil {
		return nil
	}
	for _, pattern := range c.StringSlice("only") {
		chosen := func(t *engine.Tool) bool {
			ok, err := path.Match(pattern, t.Descriptor.Name)
			return ok && err == nil
		}
		if !slices.ContainsFunc(tools.Tools(), chosen) {
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

// tools loads a directory for commands that need its tools. What is wrong with
// it goes to standard error: their output is something else. close is to be
// called when the tools are not needed any more.
func (sh shell) tools(c *cli.Context, dir string, assumeGranted bool) (tools engine.Toolset, close func(), err error) {
	report, err := load(c, dir, sh.scriptLog(), assumeGranted)
	if err != nil {
		return nil, nil, err
	}
	if report.Tools == nil {
		newReporter(sh.err, dir).failure(report, "")
		return nil, nil, errWrong
	}
	return report.Tools, report.close, nil
}

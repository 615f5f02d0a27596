package main

import (
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
	"github.com/starmcp/starmcp/engine/sandbox"
)

const isolationUsage = "`WHERE` scripts run: none is in this process, for scripts that you trust; process is in processes of their own, " +
	"which reach nothing by themselves and are ended where limits do not stop a script"

// An isolation loads a directory so that its scripts run in some place.
type isolation func(c *cli.Context, fsys fs.FS, policy engine.Policy, log *slog.Logger, assumeGranted bool) (*loaded, []string, error)

var isolations = map[string]isolation{"process": isolated, "none": here}

// checkIsolation finds a place that does not exist.
func checkIsolation(c *cli.Context) error {
	typed := c.String("isolation")
	if isolations[typed] != nil {
		return nil
	}
	return usagef(c, "--isolation=%s: want %s", typed, strings.Join(slices.Sorted(maps.Keys(isolations)), " or "))
}

// workerConfig is what this program has for scripts in processes of their own.
var workerConfig = sandbox.Config{Policy: func(grants []sandbox.Grant) engine.Policy {
	var policy engine.Policy = host.New(host.Options{})
	for _, g := range grants {
		policy, _ = policy.With(g.Needs, g.Source) // malformed ones were refused before
	}
	return policy
}}

// here loads a directory in this process.
func here(c *cli.Context, fsys fs.FS, policy engine.Policy, log *slog.Logger, assumeGranted bool) (*loaded, []string, error) {
	report := engine.Load(fsys, engine.Options{
		Policy:        policy,
		AssumeGranted: assumeGranted,
		Only:          c.StringSlice("only"),
		Print:         printTo(log),
	})
	out := &loaded{Problems: report.Problems, Warnings: report.Warnings, Files: report.Files, close: func() {}}
	if report.Table != nil {
		out.Tools = report.Table
	}
	return out, report.Skipped, nil
}

// isolated loads a directory in a process of its own, and has its tools run in
// others.
func isolated(c *cli.Context, fsys fs.FS, policy engine.Policy, log *slog.Logger, assumeGranted bool) (*loaded, []string, error) {
	report, err := sandbox.Load(c.Context, fsys, sandbox.LoadOptions{
		Grants:        grants(c),
		AssumeGranted: assumeGranted,
		Only:          c.StringSlice("only"),
		Print:         printTo(log),
		Unfiltered:    c.Bool("unfiltered"),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("cannot load in a process of its own: %w; --isolation=none loads in this one", err)
	}
	out := &loaded{Problems: report.Problems, Warnings: report.Warnings, Files: report.Files, close: func() {}}
	if report.Image == nil {
		return out, report.Skipped, nil
	}
	pool, err := sandbox.NewPool(report.Image, sandbox.Options{Policy: policy, Unfiltered: c.Bool("unfiltered"), Log: log})
	if err != nil {
		return nil, nil, fmt.Errorf("cannot run tools in processes of their own: %w; --isolation=none runs them in this one", err)
	}
	out.Tools, out.close = pool, pool.Close
	return out, report.Skipped, nil
}

func printTo(log *slog.Logger) func(file string, line int, text string) {
	return func(file string, line int, text string) {
		log.Info(text, "at", fmt.Sprintf("%s:%d", file, line))
	}
}

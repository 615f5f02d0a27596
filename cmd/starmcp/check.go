package main

import (
	"github.com/urfave/cli/v2"
)

func (sh shell) checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "test that a directory loads, and report every problem in it",
		ArgsUsage: "DIR",
		Description: `Loads everything in DIR as serve would, runs nothing, and reports every problem
of every file with its position and what to do about it. Warnings tell of what
works here but not with some well-known hosts, and of tools without fixtures.

Exits with 1 if there is a problem.`,
		UsageText: `  starmcp check ./tools
  starmcp check ./tools --assume-granted               for continuous integration
  starmcp check ./tools --json | jq -r '.problems[] | "\(.file):\(.line) \(.message)"'`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print {\"problems\": [...], \"warnings\": [...]} instead"},
			&cli.BoolFlag{Name: "strict", Usage: "let warnings count as problems"},
			&cli.BoolFlag{Name: "assume-granted", Usage: "take every need as granted: for where the grants are not known"},
		}, loadFlags()...),
		Action: func(c *cli.Context) error {
			args, err := positional(c, "DIR")
			if err != nil {
				return err
			}
			return sh.check(c, args[0])
		},
	}
}

func (sh shell) check(c *cli.Context, dir string) error {
	report, err := load(c, dir, sh.scriptLog(), c.Bool("assume-granted"))
	if err != nil {
		return err
	}
	strict := c.Bool("strict")
	if err := reportCheck(newReporter(sh.out, dir), report, c.Bool("json"), strict); err != nil {
		return err
	}
	if len(report.Problems) > 0 || strict && len(report.Warnings) > 0 {
		return errWrong
	}
	return nil
}

func reportCheck(out reporter, report *loaded, asJSON, strict bool) error {
	if asJSON {
		return out.json(report)
	}
	out.warnings(report.Warnings)
	if len(report.Problems) > 0 {
		out.failure(report, "")
	} else {
		out.success(report, strict)
	}
	return nil
}

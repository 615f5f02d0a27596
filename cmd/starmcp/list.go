package main

import (
	"github.com/urfave/cli/v2"
)

func (sh shell) listCommand() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show the tools of a directory, what they need and what they are granted",
		ArgsUsage: "DIR",
		Description: `Shows each tool as clients see it, the capabilities that it needs, and for each
which grant allows it and where that was made. It works with needs that are not
granted, too, and says what is missing.`,
		UsageText: `  starmcp list ./tools
  starmcp list ./tools --allow-read=/var/log           with one more grant
  starmcp list ./tools --json | jq '.tools[].name'`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print everything that is known about the tools instead"},
		}, loadFlags()...),
		Action: func(c *cli.Context) error {
			args, err := positional(c, "DIR")
			if err != nil {
				return err
			}
			return sh.list(c, args[0])
		},
	}
}

func (sh shell) list(c *cli.Context, dir string) error {
	tools, closeTools, err := sh.tools(c, dir, true) // to tell what is missing, too
	if err != nil {
		return err
	}
	defer closeTools()
	if c.Bool("json") {
		return printJSON(sh.out, listing(tools, c.String("isolation")))
	}
	inventory{w: sh.out, colour: paletteFor(sh.out)}.print(dir, tools, c.String("isolation"))
	return nil
}

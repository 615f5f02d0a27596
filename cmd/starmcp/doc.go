package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/builtins"
)

func (sh shell) docCommand() *cli.Command {
	return &cli.Command{
		Name:      "doc",
		Usage:     "show what scripts can use: the modules and what is on ctx",
		ArgsUsage: "[MODULE]",
		Description: `Shows the reference of one module or part of ctx: each function with its
parameters, its result and an example. Without MODULE it lists the modules; with
--format=markdown or stubs it writes the reference of all of them.`,
		UsageText: `  starmcp doc
  starmcp doc ctx.fs
  starmcp doc --format=stubs > starmcp.pyi             for editors`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "write `text`, markdown or stubs (Python declarations)"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				_, err := positional(c, "MODULE")
				return err
			}
			return sh.doc(c, c.Args().First())
		},
	}
}

func (sh shell) doc(c *cli.Context, name string) error {
	modules := slices.Concat(builtins.Pure(), builtins.Context())
	format := c.String("format")
	render := map[string]func(io.Writer, ...*builtins.Module) error{
		"text": builtins.Text, "markdown": builtins.Markdown, "stubs": builtins.Stubs,
	}[format]
	switch {
	case render == nil:
		return usagef(c, "--format is text, markdown or stubs, not %q", format)
	case name == "" && format == "text":
		return sh.modules(modules)
	case name == "":
		return render(sh.out, modules...)
	}
	i := slices.IndexFunc(modules, func(m *builtins.Module) bool { return m.Name == name })
	if i < 0 {
		var names []string
		for _, m := range modules {
			names = append(names, m.Name)
		}
		return fmt.Errorf("no module %s%s; there are %s", name, didYouMean(name, names), strings.Join(names, ", "))
	}
	return render(sh.out, modules[i])
}

// modules lists what there is to read about.
func (sh shell) modules(modules []*builtins.Module) error {
	columns := tabwriter.NewWriter(sh.out, 0, 0, 2, ' ', 0)
	for _, m := range modules {
		fmt.Fprintf(columns, "%s\t%s\n", m.Name, firstSentence(m.Doc))
	}
	columns.Flush()
	_, err := fmt.Fprint(sh.out, "\nstarmcp doc MODULE tells all about one.\n")
	return err
}

func firstSentence(doc string) string {
	if first, _, more := strings.Cut(doc, ". "); more {
		return first + "."
	}
	return doc
}

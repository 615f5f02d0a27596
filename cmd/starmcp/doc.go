package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
)

func (sh shell) docCommand() *cli.Command {
	return &cli.Command{
		Name:      "doc",
		Usage:     "show what a tool is made of, and what scripts can use",
		ArgsUsage: "[TOPIC]",
		Description: `Shows what the globals of a tool file or of server.star mean, or the reference of
one module or part of ctx: each function with its parameters, its result and an
example. Without TOPIC it lists what there is; with --format=markdown or stubs it
writes everything.`,
		UsageText: `  starmcp doc
  starmcp doc tool
  starmcp doc ctx.fs
  starmcp doc --format=stubs > starmcp.pyi             for editors`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Usage: "write `text`, markdown or stubs (Python declarations of what scripts can use)"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				_, err := positional(c, "TOPIC")
				return err
			}
			return sh.doc(c, c.Args().First())
		},
	}
}

// A docFormat is one way to write the reference.
type docFormat struct {
	modules func(io.Writer, ...*builtins.Module) error
	topic   func(*builtins.Topic, io.Writer) error // nil: it has nothing to say of topics
}

var docFormats = map[string]docFormat{
	"text":     {builtins.Text, (*builtins.Topic).Text},
	"markdown": {builtins.Markdown, (*builtins.Topic).Markdown},
	"stubs":    {modules: builtins.Stubs},
}

func (sh shell) doc(c *cli.Context, name string) error {
	topics, modules := docTopics(), slices.Concat(builtins.Language(), builtins.Pure(), builtins.Context())
	typed := c.String("format")
	format, ok := docFormats[typed]
	switch {
	case !ok:
		return usagef(c, "--format is text, markdown or stubs, not %q", typed)
	case name == "" && typed == "text":
		return sh.contents(topics, modules)
	case name == "":
		return sh.docAll(format, topics, modules)
	}
	var names []string
	for _, t := range topics {
		switch {
		case t.Name != name:
			names = append(names, t.Name)
		case format.topic == nil:
			return usagef(c, "--format=%s has nothing of %s: it declares what scripts can use, and these are what they define", typed, name)
		default:
			return format.topic(t, sh.out)
		}
	}
	for _, m := range modules {
		if m.Name == name {
			return format.modules(sh.out, m)
		}
		names = append(names, m.Name)
	}
	return fmt.Errorf("nothing is called %s%s; there are %s", name, didYouMean(name, names), strings.Join(names, ", "))
}

// docAll writes everything. A topic brings its own modules with it.
func (sh shell) docAll(format docFormat, topics []*builtins.Topic, modules []*builtins.Module) error {
	if format.topic == nil {
		return format.modules(sh.out, modules...)
	}
	for _, t := range topics {
		if err := format.topic(t, sh.out); err != nil {
			return err
		}
		fmt.Fprintln(sh.out)
	}
	return format.modules(sh.out, slices.Concat(builtins.Pure(), builtins.Context())...)
}

// docTopics returns the kinds of files there are, with what they can need here.
func docTopics() []*builtins.Topic {
	var capabilities []builtins.Attr
	for _, c := range host.Capabilities() {
		capabilities = append(capabilities, builtins.Attr{Name: c.Name, Doc: "to " + c.Doc + "; granted by --" + c.Flag + ", too."})
	}
	return engine.Reference(capabilities)
}

// contents lists what there is to read about.
func (sh shell) contents(topics []*builtins.Topic, modules []*builtins.Module) error {
	columns := tabwriter.NewWriter(sh.out, 0, 0, 2, ' ', 0)
	for _, t := range topics {
		fmt.Fprintf(columns, "%s\t%s\n", t.Name, firstSentence(t.Doc))
	}
	fmt.Fprintln(columns)
	for _, m := range modules {
		fmt.Fprintf(columns, "%s\t%s\n", m.Name, firstSentence(m.Doc))
	}
	columns.Flush()
	_, err := fmt.Fprint(sh.out, "\nstarmcp doc TOPIC tells all about one.\n")
	return err
}

func firstSentence(doc string) string {
	if first, _, more := strings.Cut(doc, ". "); more {
		return first + "."
	}
	return doc
}

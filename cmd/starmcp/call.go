package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine"
)

func (sh shell) callCommand() *cli.Command {
	return &cli.Command{
		Name:      "call",
		Usage:     "call one tool once, the whole way, from the shell",
		ArgsUsage: "DIR TOOL [KEY=VALUE ... | --json=OBJECT]",
		Description: `Loads DIR as serve would and calls TOOL, with the same checks, limits and grants
as a call by an agent. A VALUE reaches the tool as what its schema asks for:
count=3 is a number where the schema says integer, and tags='["a", "b"]' a list.

The result goes to standard output: text as it is, a structured value as JSON.
What the tool prints and logs, and whatever goes wrong, goes to standard error.
A fault in the script is shown with its backtrace, which no client ever sees.

Exits with 1 if the call fails.`,
		UsageText: `  starmcp call ./tools uptime
  starmcp call ./tools disk_usage path=/var limit=3
  starmcp call ./tools disk_usage --json='{"path": "/var", "limit": 3}'
  generate | starmcp call ./tools disk_usage --json=-
  starmcp call ./tools disk_usage limit=3 --explain    what it would get and may do`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "json", Usage: "the arguments as one JSON `OBJECT`; - reads it from standard input"},
			&cli.BoolFlag{Name: "explain", Usage: "run nothing: show the arguments as the tool would get them, and which grant allows each of its needs"},
		}, loadFlags()...),
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args) < 2 {
				_, err := positional(c, "DIR", "TOOL")
				return err
			}
			arguments, err := sh.callArguments(c, args[2:])
			if err != nil {
				return err
			}
			return sh.call(c, args[0], args[1], arguments)
		},
	}
}

func (sh shell) call(c *cli.Context, dir, name string, arguments []byte) error {
	explain := c.Bool("explain")
	table, err := sh.table(c, dir, explain) // to tell what is missing, too
	if err != nil {
		return err
	}
	tool := table.Tool(name)
	switch {
	case tool == nil:
		return fmt.Errorf("no tool %s in %s%s", name, dir, suggest(table.Nearest(name)))
	case explain:
		return sh.explain(tool, arguments)
	}
	return sh.showOutcome(table.Do(c.Context, engine.Request{
		Kind:      engine.Call,
		Tool:      name,
		Arguments: arguments,
		Client:    engine.Client{Name: "starmcp call", Version: version()},
	}))
}

// callArguments returns the arguments of a call as JSON. Those typed as
// KEY=VALUE are sent as strings, which is how they were typed: what else they
// may be is for the tool's schema to say.
func (sh shell) callArguments(c *cli.Context, pairs []string) ([]byte, error) {
	if !c.IsSet("json") {
		return pairsJSON(c, pairs)
	}
	if len(pairs) > 0 {
		return nil, usagef(c, "give the arguments as KEY=VALUE or with --json, not both: %q", pairs[0])
	}
	text := []byte(c.String("json"))
	if string(text) == "-" {
		var err error
		if text, err = io.ReadAll(sh.in); err != nil {
			return nil, fmt.Errorf("cannot read the arguments from standard input: %w", err)
		}
	}
	if !json.Valid(text) {
		return nil, usagef(c, "--json is no JSON text: %v", jsonError(text))
	}
	return text, nil
}

// pairsJSON makes an object of KEY=VALUE pairs, in the order they were typed.
func pairsJSON(c *cli.Context, pairs []string) ([]byte, error) {
	object, seen := []byte("{"), make(map[string]bool, len(pairs))
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usagef(c, "%q is no argument: write KEY=VALUE", pair)
		}
		if seen[key] {
			return nil, usagef(c, `%s is given twice: a list is written %s='["a", "b"]'`, key, key)
		}
		if len(seen) > 0 {
			object = append(object, ',')
		}
		seen[key] = true
		object = append(object, compactJSON(key)+":"+compactJSON(value)...)
	}
	return append(object, '}'), nil
}

func jsonError(text []byte) error {
	var value any
	return json.Unmarshal(text, &value)
}

// showOutcome prints what a call came to. Its results are on standard output,
// everything about them on standard error.
func (sh shell) showOutcome(o engine.Outcome) error {
	switch {
	case o.Status == engine.Refused:
		return errors.New(o.Message)
	case o.Status == engine.Fault:
		fmt.Fprintf(sh.err, "%s\n", strings.TrimRight(o.Detail, "\n"))
		return errWrong
	case o.IsError:
		printBlocks(sh.err, o.Content)
		return errWrong
	}
	printBlocks(sh.out, o.Content)
	if o.Structured != nil {
		if err := printRaw(sh.out, o.Structured); err != nil {
			return err
		}
	}
	if o.Summary != "" {
		fmt.Fprintf(sh.err, "summary: %s\n", o.Summary)
	}
	for _, note := range o.Notes {
		fmt.Fprintf(sh.err, "note: %s\n", note)
	}
	return nil
}

// printBlocks prints text as text, and any other block as its JSON.
func printBlocks(w io.Writer, blocks []engine.Block) {
	for _, b := range blocks {
		var text struct{ Text string }
		if b.Type == "text" && json.Unmarshal(b.JSON, &text) == nil {
			fmt.Fprintln(w, strings.TrimSuffix(text.Text, "\n"))
			continue
		}
		printRaw(w, b.JSON)
	}
}

// explain tells what the tool would be given and may do. Nothing runs.
func (sh shell) explain(tool *engine.Tool, arguments []byte) error {
	given, notes, refused := tool.Arguments(arguments)
	if refused != nil {
		return sh.showOutcome(*refused)
	}
	fmt.Fprintf(sh.out, "%s would be called with:\n", tool.Descriptor.Name)
	if err := printRaw(sh.out, given); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintf(sh.out, "note: %s\n", note)
	}
	if len(tool.Coverage) == 0 {
		fmt.Fprint(sh.out, "\nIt needs nothing of this machine.\n")
		return nil
	}
	fmt.Fprint(sh.out, "\nIt needs, and could use no more than:\n")
	v := inventory{w: sh.out, colour: paletteFor(sh.out)}
	v.needs(tool.Coverage)
	v.missing(tool.Coverage)
	return nil
}

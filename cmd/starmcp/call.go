package main

import (
	"encoding/json"
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
	tools, closeTools, err := sh.tools(c, dir, explain) // to tell what is missing, too
	if err != nil {
		return err
	}
	defer closeTools()
	tool := tools.Tool(name)
	switch {
	case tool == nil:
		return fmt.Errorf("no tool %s in %s%s", name, dir, suggest(tools.Nearest(name)))
	case explain:
		return sh.explain(c.Context, tools, tool, arguments)
	}
	return sh.showOutcome(tools.Do(c.Context, engine.Request{
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
		object, err := pairsJSON(pairs)
		if err != nil {
			return nil, usagef(c, "%v", err)
		}
		return object, nil
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
	var object json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, usagef(c, "--json is no JSON text: %v", err)
	}
	return object, nil
}

// pairsJSON makes an object of KEY=VALUE pairs, in the order they were typed.
func pairsJSON(pairs []string) ([]byte, error) {
	object, seen := []byte("{"), make(map[string]bool, len(pairs))
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no argument: write KEY=VALUE", pair)
		}
		if seen[key] {
			return nil, fmt.Errorf(`%s is given twice: a list is written %s='["a", "b"]'`, key, key)
		}
		if len(seen) > 0 {
			object = append(object, ',')
		}
		seen[key] = true
		object = append(object, compactJSON(key)+":"+compactJSON(value)...)
	}
	return append(object, '}'), nil
}

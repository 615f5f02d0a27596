package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

const (
	helpHead = `starmcp serves a directory of Starlark files as tools for AI agents, over the
Model Context Protocol (MCP). Each .star file in the directory is one tool.

Usage:
  starmcp COMMAND [arguments and flags in any order]

Commands:
`
	helpTail = `
Start with:
  starmcp check ./tools                    is everything in ./tools right?
  starmcp call ./tools uptime              call the tool uptime once
  starmcp serve ./tools                    serve ./tools at http://127.0.0.1:8080/mcp
  starmcp help serve                       all about one command

Exit codes:
  0  all is well
  1  the tools are wrong: a problem in the directory, or a call that failed
  2  the command could not run: bad usage, no such directory, a busy port

Reports go to standard output; logs and complaints go to standard error. There
is colour on terminals only, and none where NO_COLOR is set.
`
)

// help answers "starmcp help [COMMAND]" and "starmcp --help".
func (sh shell) help(commands []*cli.Command, args []string) error {
	if len(args) == 0 || args[0] == "help" || strings.HasPrefix(args[0], "-") {
		printHelp(sh.out, commands)
		return nil
	}
	command := find(commands, args[0])
	if command == nil {
		return unknownCommand(commands, args[0])
	}
	printCommandHelp(sh.out, command)
	return nil
}

func printHelp(w io.Writer, commands []*cli.Command) {
	io.WriteString(w, helpHead)
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(columns, "  %s\t%s\n", c.Name, c.Usage)
	}
	columns.Flush()
	io.WriteString(w, helpTail)
}

// printCommandHelp prints what a command is for, how it is called, its flags
// and its examples (the command's UsageText).
func printCommandHelp(w io.Writer, c *cli.Command) {
	fmt.Fprintf(w, "starmcp %s: %s\n\nUsage:\n  %s\n\n", c.Name, c.Usage, synopsis(c))
	fmt.Fprintf(w, "%s\n\nExamples:\n%s\n\nFlags:\n", c.Description, c.UsageText)
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range c.Flags {
		name, usage := describeFlag(f.(cli.DocGenerationFlag))
		for _, line := range wrap(usage, 56) {
			fmt.Fprintf(columns, "  %s\t%s\n", name, line)
			name = ""
		}
	}
	fmt.Fprint(columns, "  --help\tthis text\n")
	columns.Flush()
}

// synopsis shows how a command is called.
func synopsis(c *cli.Command) string {
	words := []string{"starmcp", c.Name}
	if c.ArgsUsage != "" {
		words = append(words, c.ArgsUsage)
	}
	if len(c.Flags) > 0 {
		words = append(words, "[flags]")
	}
	return strings.Join(words, " ")
}

// wrap breaks text into lines of so many letters, if words allow.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// describeFlag returns how a flag is written and what it does. What its usage
// has in backticks stands for its value.
func describeFlag(f cli.DocGenerationFlag) (name, usage string) {
	name, usage = "--"+f.Names()[0], f.GetUsage()
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		value, after, _ := strings.Cut(rest, "`")
		name, usage = name+"="+value, before+value+after
	}
	if f.TakesValue() && f.GetValue() != "" {
		usage += " (default: " + f.GetValue() + ")"
	}
	return name, usage
}

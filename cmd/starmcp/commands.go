package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/builtins/spell"
)

// commands returns every command, in the order in which help lists them.
func (sh shell) commands() []*cli.Command {
	return []*cli.Command{
		sh.serveCommand(),
		sh.checkCommand(),
		sh.listCommand(),
		sh.callCommand(),
		sh.docCommand(),
		sh.versionCommand(),
	}
}

// A usageError is a command line that cannot be carried out.
type usageError struct {
	command string // empty: the program itself
	message string
}

func (e *usageError) Error() string {
	if e.command == "" {
		return e.message
	}
	return e.command + ": " + e.message
}

// help returns the command line that tells more.
func (e *usageError) help() string {
	if e.command == "" {
		return "starmcp --help"
	}
	return "starmcp " + e.command + " --help"
}

// usagef returns an error about how the command of c was used.
func usagef(c *cli.Context, format string, args ...any) error {
	return &usageError{command: c.Command.Name, message: fmt.Sprintf(format, args...)}
}

// dispatch finds the command that the arguments name and runs it.
func (sh shell) dispatch(args []string) error {
	commands := sh.commands()
	if len(args) == 0 {
		return &usageError{message: "which command?"}
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "--help", "help":
		return sh.help(commands, rest)
	case "--version":
		name = "version"
	}
	command := find(commands, name)
	if command == nil {
		return unknownCommand(commands, name)
	}
	flags, arguments, err := arrange(command, rest)
	switch err {
	case nil:
	case errHelp:
		printCommandHelp(sh.out, command)
		return nil
	default:
		return &usageError{command: command.Name, message: err.Error()}
	}
	line := append([]string{"starmcp", command.Name}, flags...)
	return sh.app(commands).Run(append(append(line, "--"), arguments...))
}

// app hands the commands to urfave/cli, with all of its own talking and exiting
// turned off: it would print errors on stdout and choose exit codes.
func (sh shell) app(commands []*cli.Command) *cli.App {
	for _, c := range commands {
		c.HideHelp = true
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error {
			return &usageError{command: c.Name, message: err.Error()}
		}
	}
	return &cli.App{
		Name:           "starmcp",
		Commands:       commands,
		Reader:         sh.in,
		Writer:         sh.out,
		ErrWriter:      sh.err,
		HideHelp:       true,
		ExitErrHandler: func(*cli.Context, error) {},
	}
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func unknownCommand(commands []*cli.Command, name string) error {
	if strings.HasPrefix(name, "-") {
		return &usageError{message: fmt.Sprintf("%s: flags come after the command", name)}
	}
	names := make([]string, 0, len(commands))
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return &usageError{message: fmt.Sprintf("no command %q%s", name, didYouMean(name, names))}
}

// didYouMean returns " (did you mean NAME?)" where one of the names is close.
func didYouMean(name string, names []string) string {
	return suggest(spell.Nearest(name, names))
}

func suggest(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", name)
}

// positional returns the arguments that go by these names, and complains about
// missing and left over ones.
func positional(c *cli.Context, names ...string) ([]string, error) {
	args := c.Args().Slice()
	if len(args) < len(names) {
		return nil, usagef(c, "%s is missing: %s", names[len(args)], synopsis(c.Command))
	}
	if len(args) > len(names) {
		return nil, usagef(c, "unexpected argument %q: %s", args[len(names)], synopsis(c.Command))
	}
	return args, nil
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// errHelp says that the flags ask for help.
var errHelp = errors.New("help is asked for")

// arrange sorts what was typed after a command's name into its flags and its
// arguments, so that flags may stand anywhere: urfave/cli takes whatever
// follows the first argument for one more argument, and says nothing. A flag's
// value comes back attached to it. "--" ends the flags.
func arrange(command *cli.Command, typed []string) (flags, arguments []string, err error) {
	for i := 0; i < len(typed); i++ {
		word := typed[i]
		if word == "--" {
			return flags, append(arguments, typed[i+1:]...), nil
		}
		if word == "-" || !strings.HasPrefix(word, "-") {
			arguments = append(arguments, word)
			continue
		}
		name, _, attached := strings.Cut(word, "=")
		switch takes, err := takesValue(command, name); {
		case err != nil:
			return nil, nil, err
		case takes && !attached:
			i++
			if i == len(typed) || strings.HasPrefix(typed[i], "--") {
				return nil, nil, fmt.Errorf("%s needs a value: %s=VALUE", name, name)
			}
			word += "=" + typed[i]
		}
		flags = append(flags, word)
	}
	return flags, arguments, nil
}

// takesValue finds a flag as it was typed, dashes included, and tells whether
// it has a value.
func takesValue(command *cli.Command, typed string) (bool, error) {
	name := strings.TrimLeft(typed, "-")
	if name == "h" || name == "help" {
		return false, errHelp
	}
	var known []string
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f.(cli.DocGenerationFlag).TakesValue(), nil
		}
		known = append(known, "--"+f.Names()[0])
	}
	return false, fmt.Errorf("no flag %s%s", typed, didYouMean("--"+name, append(known, "--help")))
}

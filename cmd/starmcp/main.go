// Command starmcp serves a directory of Starlark files as MCP tools.
//
// Every command has a file of its own and writes to the writers it is given:
// reports to the first, logs and whatever was wrong with the command line to
// the second. What a command came to is an error, and only run turns that into
// an exit code.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/starmcp/starmcp/engine/sandbox"
)

// The exit codes of every command. No flag changes what they mean.
const (
	exitOK     = 0 // all is well
	exitWrong  = 1 // the tools are wrong: a problem, or a call that failed
	exitCannot = 2 // the command could not run: bad usage, no such directory
)

// errWrong says that the tools are wrong, and that the command has told how.
var errWrong = errors.New("the tools are wrong")

// A shell is where a command was typed and where its answers go.
type shell struct {
	in  io.Reader
	out io.Writer // reports
	err io.Writer // logs, and what was wrong with the command line
}

func main() {
	sandbox.RunWorker(workerConfig) // does not return where this process is to run scripts
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	sh := shell{in: stdin, out: stdout, err: stderr}
	err := sh.dispatch(args[1:])
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errWrong):
		return exitWrong
	}
	fmt.Fprintf(stderr, "starmcp: %v\n", err)
	if usage, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(stderr, "Run '%s' for usage.\n", usage.help())
	}
	return exitCannot
}

package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/starmcp/starmcp/engine/sandbox"
)

var update = flag.Bool("update", false, "rewrite the outputs that the scripts expect")

func TestMain(m *testing.M) {
	sandbox.RunWorker(workerConfig)
	testscript.Main(m, map[string]func(){"starmcp": main})
}

// TestScripts runs the sessions of testdata/script. The test binary runs itself
// as starmcp, so exit codes and both outputs are the real ones.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "")
			env.Values[backgroundKey{}] = &background{vars: env.Vars}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    exits,
			"expand":   expand,
			"messages": messages,
			"serve":    serve,
			"served":   served,
			"signal":   signalServer,
			"mcp":      mcpRequest,
			"begin":    begin,
			"answered": answered,
			"hangup":   hangUp,
			"post":     post,
		},
	})
}

// exits runs a command that ends with an exact code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// messages holds that each line of a file is a JSON-RPC message, and that there
// are so many: messages N FILE
func messages(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: messages N FILE")
	}
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		var m struct {
			JSONRPC       string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" || (m.Result == nil) == (m.Error == nil) {
			ts.Fatalf("%q is no message: %v", line, err)
		}
		n++
	}
	if fmt.Sprint(n) != args[0] {
		ts.Fatalf("%d messages, want %s", n, args[0])
	}
}

// expand replaces $NAME in files: expand FILE...
func expand(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		text := os.Expand(ts.ReadFile(file), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o666))
	}
}

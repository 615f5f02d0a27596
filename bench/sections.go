package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A bench is how to measure, and what has been prepared for it.
type bench struct {
	rounds      int
	time        time.Duration
	connections int
	tools       int
	profile     string

	scratch string // a folder for the binary and directories of tools
}

// prepare builds the starmcp command and writes the directories that are
// served. Children find both by an environment variable.
func (b *bench) prepare() (err error) {
	if b.scratch, err = os.MkdirTemp("", "starmcp-bench-"); err != nil {
		return err
	}
	if err := os.Setenv(scratchVariable, b.scratch); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", starmcpBinary(), "./cmd/starmcp")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build starmcp: %w\n%s", err, out)
	}
	return errors.Join(writeTools(toolsDir(1), 1), writeTools(toolsDir(b.tools), b.tools))
}

func (b *bench) cleanUp() { os.RemoveAll(b.scratch) }

// A section makes one table.
type section struct {
	name string
	run  func(*bench) (*result, error)
}

var sections = []section{
	{"call", func(b *bench) (*result, error) {
		return b.overHTTP("tools/call over HTTP", 1, callRequest)
	}},
	{"list", func(b *bench) (*result, error) {
		return b.overHTTP(fmt.Sprintf("tools/list of %d tools over HTTP", b.tools), b.tools, listRequest(b.tools))
	}},
	{"stdio", (*bench).overStdio},
	{"cold", (*bench).coldStarts},
}

func (b *bench) overHTTP(title string, tools int, r request) (*result, error) {
	var runners []runner
	for _, c := range httpContenders {
		s, err := startHTTP(c, tools, b.profileFlags(c, r)...)
		if err != nil {
			return nil, err
		}
		defer s.stop()
		load, err := newHTTPLoad(s, r, b.connections)
		if err != nil {
			return nil, err
		}
		defer load.close()
		if _, err := load.run(b.time / 2); err != nil { // warm up
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		runners = append(runners, runner{c.name, func() (sample, error) { return load.run(b.time) }})
	}
	return compare(title, b.rounds, runners)
}

func (b *bench) overStdio() (*result, error) {
	var runners []runner
	for _, c := range stdioContenders {
		p, err := startStdio(c, 1, callRequest)
		if err != nil {
			return nil, err
		}
		defer p.server.stop()
		if _, err := p.run(b.time / 2); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		runners = append(runners, runner{c.name, func() (sample, error) { return p.run(b.time) }})
	}
	return compare("tools/call round trips over stdio", b.rounds, runners)
}

func (b *bench) coldStarts() (*result, error) {
	var runners []runner
	for _, c := range stdioContenders {
		runners = append(runners, runner{c.name, func() (sample, error) { return coldStart(c, b.tools) }})
	}
	title := fmt.Sprintf("from process start to the first answered call, %d tools", b.tools)
	return compare(title, b.rounds, runners)
}

// profileFlags asks the child that is starmcp in process for a profile.
func (b *bench) profileFlags(c contender, r request) []string {
	if b.profile == "" || c.name != httpContenders[0].name {
		return nil
	}
	return []string{"-cpuprofile", b.profile + "." + strings.TrimPrefix(r.method, "tools/")}
}

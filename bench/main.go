// Command bench serves the same tool from starmcp, from the official Go SDK,
// from mcp-go and from a bare handler, drives them side by side, and prints how
// they compare.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == childCommand {
		return runChild(args[1:])
	}
	b, sections := parse(args)
	defer b.cleanUp()
	if err := b.prepare(); err != nil {
		return err
	}
	fmt.Printf("%d rounds of %v, %d connections over HTTP, lists of %d tools\n", b.rounds, b.time, b.connections, b.tools)
	results := map[string]*result{}
	for _, s := range sections {
		res, err := s.run(b)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		res.print(os.Stdout)
		results[s.name] = res
	}
	printTargets(os.Stdout, results)
	return nil
}

// parse returns what the flags say: how to measure, and what.
func parse(args []string) (*bench, []section) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	b := &bench{}
	flags.IntVar(&b.rounds, "rounds", 9, "how often each contender is measured")
	flags.DurationVar(&b.time, "time", time.Second, "how long one measurement takes")
	flags.IntVar(&b.connections, "connections", 8, "HTTP connections at once")
	flags.IntVar(&b.tools, "tools", 1000, "how many tools a long list has")
	flags.StringVar(&b.profile, "cpuprofile", "", "write CPU profiles of starmcp in process to `PREFIX`.call and .list")
	only := flags.String("only", "", "which tables to make: a comma-separated part of call, list, stdio, cold")
	quick := flags.Bool("quick", false, "three short rounds: for a first look, not for numbers to quote")
	flags.Parse(args)
	if *quick {
		b.rounds, b.time = 3, 300*time.Millisecond
	}
	if *only == "" {
		return b, sections
	}
	wanted := strings.Split(*only, ",")
	return b, slices.DeleteFunc(slices.Clone(sections), func(s section) bool { return !slices.Contains(wanted, s.name) })
}

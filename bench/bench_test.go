package main

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain lets the test binary be a server as well, as the program itself can.
func TestMain(m *testing.M) {
	if len(os.Args) == 1 || os.Args[1] != childCommand {
		os.Exit(m.Run())
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestContenders measures every contender for a moment: each must answer both
// requests over HTTP, and calls over stdio, with what was asked for.
func TestContenders(t *testing.T) {
	b := &bench{rounds: 1, time: 20 * time.Millisecond, connections: 2, tools: 20}
	if err := b.prepare(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.cleanUp)
	for _, s := range sections {
		t.Run(s.name, func(t *testing.T) {
			res, err := s.run(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range res.names {
				if res.samples[name][0].ops == 0 {
					t.Errorf("%s answered nothing", name)
				}
			}
		})
	}
}

package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
)

// childCommand, as the first argument, makes this program one of the servers
// that it measures.
const childCommand = "child"

// runChild serves one contender until standard input ends, so that a child
// never outlives the program that started it.
func runChild(args []string) error {
	flags := flag.NewFlagSet(childCommand, flag.ExitOnError)
	name := flags.String("contender", "", "which one to serve")
	tools := flags.Int("tools", 1, "how many tools to serve")
	listen := flags.String("listen", "", "address for HTTP; empty: serve on standard input and output")
	profile := flags.String("cpuprofile", "", "file for a CPU profile")
	flags.Parse(args)

	c, ok := find(*name)
	if !ok {
		return fmt.Errorf("no contender is called %q", *name)
	}
	if *listen == "" {
		return c.stdio(*tools)
	}
	if *profile != "" {
		stop, err := startProfile(*profile)
		if err != nil {
			return err
		}
		defer stop()
	}
	handler, err := c.handler(*tools)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	go http.Serve(listener, handler)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func startProfile(path string) (stop func(), err error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		file.Close()
	}, nil
}

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"time"
)

// A stdioPeer is a client of one server process on its standard streams.
type stdioPeer struct {
	server  *process
	out     *bufio.Reader
	request request
}

func startStdio(c contender, tools int, r request) (*stdioPeer, error) {
	cmd, err := c.serveStdio(tools)
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s, err := start(cmd)
	if err != nil {
		return nil, err
	}
	return &stdioPeer{server: s, out: bufio.NewReaderSize(stdout, 64<<10), request: r}, nil
}

// exchange sends the request and waits for its answer. Notifications that come
// first are passed over.
func (p *stdioPeer) exchange() error {
	if _, err := p.server.stdin.Write(p.request.line()); err != nil {
		return err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%w: %s", err, p.server.stderr)
		}
		if bytes.Contains(line, []byte(`"id":7`)) {
			return p.request.check(line)
		}
	}
}

// run makes one exchange after the other for the given time.
func (p *stdioPeer) run(d time.Duration) (sample, error) {
	cpu, start := p.server.cpu(), time.Now()
	s := sample{}
	for time.Since(start) < d {
		if err := p.exchange(); err != nil {
			return s, err
		}
		s.ops++
	}
	s.elapsed, s.cpu = time.Since(start), p.server.cpu()-cpu
	return s, nil
}

// coldStart tells how long a server with that many tools takes from the start
// of its process to the answer of the first call.
func coldStart(c contender, tools int) (sample, error) {
	begin := time.Now()
	p, err := startStdio(c, tools, callRequest)
	if err != nil {
		return sample{}, err
	}
	defer p.server.stop()
	if err := p.exchange(); err != nil {
		return sample{}, err
	}
	return sample{ops: 1, elapsed: time.Since(begin), cpu: p.server.cpu()}, nil
}

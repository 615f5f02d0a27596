package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A connection is one keep-alive connection of the load generator. It writes
// ready bytes and parses only what it needs of the answer, so that the servers
// get the processor and not their client.
type connection struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
	body    bytes.Buffer
}

func dial(address string, request []byte) (*connection, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), request: request}, nil
}

// exchange sends the request once. The answer's body holds until the next call.
func (c *connection) exchange() ([]byte, error) {
	if _, err := c.conn.Write(c.request); err != nil {
		return nil, err
	}
	status, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	good := bytes.HasPrefix(status, []byte("HTTP/1.1 200"))
	failure := ""
	if !good {
		failure = strings.TrimSpace(string(status))
	}
	length, err := c.readHeader()
	if err != nil {
		return nil, err
	}
	if err := c.readBody(length); err != nil {
		return nil, err
	}
	if !good {
		return nil, fmt.Errorf("%s: %.300s", failure, c.body.Bytes())
	}
	return c.body.Bytes(), nil
}

// readHeader returns the length of the body, or -1 where it comes in chunks.
func (c *connection) readHeader() (int, error) {
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
}

func (c *connection) readBody(length int) error {
	c.body.Reset()
	if length >= 0 {
		_, err := io.CopyN(&c.body, c.in, int64(length))
		return err
	}
	if _, err := c.body.ReadFrom(httputil.NewChunkedReader(c.in)); err != nil {
		return err
	}
	_, err := c.in.ReadSlice('\n') // the end of the last chunk
	return err
}

// An httpLoad drives one server with the same request over several connections.
type httpLoad struct {
	server      *process
	request     request
	connections []*connection
}

func newHTTPLoad(s *process, r request, connections int) (*httpLoad, error) {
	l := &httpLoad{server: s, request: r}
	for range connections {
		c, err := dial(s.address, r.http(s.address))
		if err != nil {
			return nil, err
		}
		l.connections = append(l.connections, c)
	}
	return l, nil
}

// run sends requests for the given time and tells how many were answered.
func (l *httpLoad) run(d time.Duration) (sample, error) {
	counts, errs := make([]int, len(l.connections)), make([]error, len(l.connections))
	deadline := time.Now().Add(d)
	cpu, start := l.server.cpu(), time.Now()
	var group sync.WaitGroup
	for i, c := range l.connections {
		group.Go(func() { counts[i], errs[i] = l.drive(c, deadline) })
	}
	group.Wait()
	s := sample{elapsed: time.Since(start), cpu: l.server.cpu() - cpu}
	for _, n := range counts {
		s.ops += n
	}
	return s, errors.Join(errs...)
}

// drive keeps one connection busy. It looks at the first answer, and at the
// length of the others, which must be the same.
func (l *httpLoad) drive(c *connection, deadline time.Time) (n int, err error) {
	length := 0
	for time.Now().Before(deadline) {
		reply, err := c.exchange()
		if err != nil {
			return n, err
		}
		switch {
		case n == 0:
			if err := l.request.check(reply); err != nil {
				return n, err
			}
			length = len(reply)
		case len(reply) != length:
			return n, fmt.Errorf("an answer has %d bytes where others have %d: %.300s", len(reply), length, reply)
		}
		n++
	}
	return n, nil
}

func (l *httpLoad) close() {
	for _, c := range l.connections {
		c.conn.Close()
	}
}

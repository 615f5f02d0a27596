package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// A process is the running server of a contender.
type process struct {
	address string // for HTTP
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stderr  *bytes.Buffer
}

// startHTTP starts c and waits until it takes connections.
func startHTTP(c contender, tools int, flags ...string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd, err := c.serveHTTP(tools, address)
	if err != nil {
		return nil, err
	}
	cmd.Args = append(cmd.Args, flags...)
	s, err := start(cmd)
	if err != nil {
		return nil, err
	}
	s.address = address
	if err := s.await(20 * time.Second); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w: %s", c.name, err, s.stderr)
	}
	return s, nil
}

func start(cmd *exec.Cmd) (*process, error) {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s := &process{cmd: cmd, stdin: stdin, stderr: new(bytes.Buffer)}
	cmd.Stderr = s.stderr
	return s, cmd.Start()
}

func (s *process) await(limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(2 * time.Millisecond) {
		conn, err := net.Dial("tcp", s.address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(end) {
			return err
		}
	}
}

// stop ends the process: politely by the end of its input and an interrupt,
// and by force if it has not gone two seconds later.
func (s *process) stop() {
	s.stdin.Close()
	if s.address != "" && s.cmd.Args[1] != childCommand {
		s.cmd.Process.Signal(os.Interrupt)
	}
	force := time.AfterFunc(2*time.Second, func() { s.cmd.Process.Kill() })
	defer force.Stop()
	s.cmd.Wait()
}

// cpu returns the processor time that the process has used; zero where the
// system does not tell.
func (s *process) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// Fields are counted from the closing parenthesis of the command's name,
	// which may hold blanks: user and system time are the 12th and 13th.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * (time.Second / 100)
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

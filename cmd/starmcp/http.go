package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/starmcp/starmcp/engine/mcp"
)

// mcpPath is the one path that clients are answered at.
const mcpPath = "/mcp"

// serveHTTP serves whoever connects to the address of --listen.
func (sh shell) serveHTTP(c *cli.Context, dir string) error {
	addr, err := listenAddress(c)
	if err != nil {
		return err
	}
	tools, closeTools, log, err := sh.startingTools(c, dir, sh.out)
	if err != nil {
		return err
	}
	defer closeTools()
	l, err := listen(addr)
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(c.Context, log)
	defer stop()
	url := "http://" + reachable(l.Addr().(*net.TCPAddr)) + mcpPath
	fmt.Fprintf(sh.out, "Serving %s of %s at %s\n\n", count(len(tools.Tools()), "tool"), dir, url)
	connectionTo(url, dir, tools.Catalogue().Identity.Name, typedLoadFlags(c)).print(sh.out)
	logServing(log, tools, "url", url)
	server := newServer(tools, mcp.Options{Logger: log, Loopback: addr.IP.IsLoopback()})
	err = mcp.Serve(ctx, l, onlyAt(mcpPath, server), log)
	log.Info("stopped")
	return err
}

// listenAddress returns the address of --listen. Beyond loopback everybody who
// reaches the machine could call the tools: that takes a word from the operator.
func listenAddress(c *cli.Context) (*net.TCPAddr, error) {
	typed := c.String("listen")
	addr, err := net.ResolveTCPAddr("tcp", typed)
	if err != nil {
		return nil, usagef(c, "--listen=%s is no address here: write HOST:PORT, such as 127.0.0.1:8080", typed)
	}
	if !addr.IP.IsLoopback() && !c.Bool("insecure-no-auth") {
		return nil, usagef(c, "--listen=%s can be reached from other machines, and anybody there could call the tools: "+
			"listen on 127.0.0.1:%d behind a proxy that authenticates, or add --insecure-no-auth", typed, addr.Port)
	}
	return addr, nil
}

// listen binds the very address that was judged, whatever its name may resolve
// to a moment later.
func listen(addr *net.TCPAddr) (net.Listener, error) {
	l, err := net.ListenTCP("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("cannot listen on %s: something else does; take another port with --listen, or any free one with port 0", addr)
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		err = errno
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return l, nil
}

// reachable returns an address as clients may write it: one that stands for
// all of the machine's addresses is no destination.
func reachable(addr *net.TCPAddr) string {
	if addr.IP.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			return net.JoinHostPort(name, strconv.Itoa(addr.Port))
		}
	}
	return addr.String()
}

// onlyAt answers one path with h and says where that is anywhere else.
func onlyAt(path string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.Error(w, "MCP is served at "+path, http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	})
}

package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// Grace is how long running requests may go on once a server is told to stop.
const Grace = 5 * time.Second

// cancelGrace is how long a call takes at most to end once it is cancelled.
const cancelGrace = time.Second

// NewHTTPServer returns an HTTP server for h with limits against clients that
// are slow on purpose, or send headers without end. Its answers have no limit in
// time, since a call may take long; those of a [Server] have their own.
func NewHTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	if log != nil {
		server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	}
	return server
}

// Serve answers what connects to l with h until ctx ends. Then it takes nothing
// new, lets what runs go on for [Grace], cancels the rest, and returns nil.
func Serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	return serve(ctx, l, NewHTTPServer(h, log), Grace)
}

func serve(ctx context.Context, l net.Listener, server *http.Server, grace time.Duration) error {
	calls, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	server.BaseContext = func(net.Listener) context.Context { return calls }

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if shutdown(server, grace) != nil {
		cancel(engine.ErrStopping)
		if shutdown(server, cancelGrace) != nil {
			server.Close()
		}
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// shutdown stops the server and waits for what runs, at most for the given time.
func shutdown(server *http.Server, wait time.Duration) error {
	ctx, stop := context.WithTimeout(context.Background(), wait)
	defer stop()
	return server.Shutdown(ctx)
}

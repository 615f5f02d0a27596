package mcp

import (
	"context"
	"log/slog"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// logCall writes the line about one call of a tool. The reply is made already,
// if there is one.
func (s *Server) logCall(ctx context.Context, x *exchange, req *engine.Request, o *engine.Outcome, took time.Duration) {
	level := slog.LevelInfo
	if o.Status == engine.Fault || o.Detail != "" {
		level = slog.LevelWarn
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	var space [16]slog.Attr
	attrs := append(space[:0],
		slog.String("tool", clip(req.Tool)),
		slog.String("era", x.rev.era().String()),
		slog.Bool("error", o.Status != engine.OK || o.IsError),
		slog.Int("bytes", x.size()),
		slog.Duration("duration", took),
	)
	s.logOutcome(ctx, level, "call", attrs, o)
}

// logFault writes the line about a request, other than a call, that the service
// could not answer.
func (s *Server) logFault(ctx context.Context, x *exchange, o *engine.Outcome) {
	if o.Status == engine.Fault {
		s.logOutcome(ctx, slog.LevelWarn, "fault", []slog.Attr{slog.String("method", clip(x.msg.method))}, o)
	}
}

// logOutcome adds what the outcome is about.
func (s *Server) logOutcome(ctx context.Context, level slog.Level, what string, attrs []slog.Attr, o *engine.Outcome) {
	if o.Class != "" {
		attrs = append(attrs, slog.String("class", o.Class))
	}
	if o.Reference != "" {
		attrs = append(attrs, slog.String("reference", o.Reference))
	}
	attrs = append(attrs, o.Log...)
	if o.Detail != "" {
		attrs = append(attrs, slog.String("detail", o.Detail))
	}
	s.log.LogAttrs(ctx, level, what, attrs...)
}

// logRefusal writes the line about a request that was answered with an error
// before a tool had anything to do with it.
func (s *Server) logRefusal(ctx context.Context, x *exchange, err *rpcError) {
	s.log.LogAttrs(ctx, slog.LevelInfo, "refused",
		slog.String("method", clip(x.msg.method)),
		slog.Int("code", err.code),
		slog.Int("status", x.status),
		slog.String("reason", err.message),
	)
}

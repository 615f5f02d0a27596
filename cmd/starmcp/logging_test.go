package main

import (
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

// logged returns what one record looks like in the text format, its time aside.
func logged(write func(log *slog.Logger)) string {
	var out strings.Builder
	write(slog.New(newTextHandler(&out, slog.LevelInfo)))
	return regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d `).ReplaceAllString(out.String(), "")
}

func TestTextLog(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(log *slog.Logger)
		want  string
	}{
		{"a line", func(log *slog.Logger) { log.Info("call", "tool", "disk", "bytes", 12) }, "INF call tool=disk bytes=12\n"},
		{"below the level", func(log *slog.Logger) { log.Debug("call") }, ""},
		{"several lines", func(log *slog.Logger) {
			log.Warn("call", "detail", "EvalError: x\n  at a.star:1:1\n", "tool", "disk")
		}, "WRN call tool=disk\n    EvalError: x\n      at a.star:1:1\n"},
		{"nothing passes for another entry", func(log *slog.Logger) {
			log.Info("said", "text", "x\n12:00:00 INF stopped")
		}, "INF said\n    x\n    12:00:00 INF stopped\n"},
		{"nothing steers a terminal", func(log *slog.Logger) {
			log.Info("said", "text", "x\n\x1b[2J\r")
		}, "INF said\n    x\n    ?[2J?\n"},
		{"nor does a message, nor does a value", func(log *slog.Logger) {
			log.Info("x\x1b\n12:00:00 INF stopped", "text", "\x1b[2J")
		}, "INF x? text=?[2J\n    12:00:00 INF stopped\n"},
		{"nothing is cut off", func(log *slog.Logger) { log.Info("said", "text", "a\xffb\uFFFDc") }, "INF said text=a?b?c\n"},
		{"with attributes and groups", func(log *slog.Logger) {
			log.With("a", 1).WithGroup("g").Info("call", "b", 2)
		}, "INF call a=1 g.b=2\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := logged(test.write); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"unicode"

	"github.com/lmittmann/tint"
	"github.com/urfave/cli/v2"
)

// logFlags are the flags of commands that keep a log.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "log-format", Value: "text", Usage: "write the log as `text` or json"},
		&cli.StringFlag{Name: "log-level", Value: "info", Usage: "log from this `level` on: debug, info, warn or error"},
	}
}

// logger returns the log that the flags ask for.
func (sh shell) logger(c *cli.Context) (*slog.Logger, error) {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[c.String("log-level")]
	if !ok {
		return nil, usagef(c, "--log-level is debug, info, warn or error, not %q", c.String("log-level"))
	}
	switch format := c.String("log-format"); format {
	case "json":
		return slog.New(slog.NewJSONHandler(sh.err, &slog.HandlerOptions{Level: level})), nil
	case "text":
		return slog.New(newTextHandler(sh.err, level)), nil
	default:
		return nil, usagef(c, "--log-format is text or json, not %q", format)
	}
}

// scriptLog returns the log of commands that keep none: what scripts print goes
// to standard error.
func (sh shell) scriptLog() *slog.Logger {
	return slog.New(newTextHandler(sh.err, slog.LevelDebug))
}

// A textHandler writes one line a record, and below it, indented, the values
// that have several lines themselves, such as a backtrace: in the line they
// would be quoted beyond recognition.
type textHandler struct {
	line slog.Handler // writes to text
	out  *lockedText
}

// A lockedText is where a record is put together before it is written at once.
type lockedText struct {
	mu   sync.Mutex
	text bytes.Buffer
	w    io.Writer
}

func newTextHandler(w io.Writer, level slog.Level) *textHandler {
	out := &lockedText{w: w}
	return &textHandler{out: out, line: tint.NewTextHandler(&out.text, &tint.Options{
		Level:      level,
		TimeFormat: "15:04:05",
		NoColor:    !bool(paletteFor(w)),
	})}
}

func (h *textHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.line.Enabled(ctx, level)
}

func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &textHandler{out: h.out, line: h.line.WithAttrs(attrs)}
}

func (h *textHandler) WithGroup(name string) slog.Handler {
	return &textHandler{out: h.out, line: h.line.WithGroup(name)}
}

func (h *textHandler) Handle(ctx context.Context, record slog.Record) error {
	message, rest, _ := strings.Cut(record.Message, "\n")
	short := slog.NewRecord(record.Time, record.Level, printable(message), record.PC)
	var blocks []string
	if rest != "" {
		blocks = append(blocks, rest)
	}
	record.Attrs(func(a slog.Attr) bool {
		text := a.Value.Resolve().String()
		switch shown := printable(text); {
		case strings.Contains(text, "\n"):
			blocks = append(blocks, text)
		case shown != text:
			short.AddAttrs(slog.String(a.Key, shown))
		default:
			short.AddAttrs(a)
		}
		return true
	})
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	h.out.text.Reset()
	if err := h.line.Handle(ctx, short); err != nil {
		return err
	}
	for _, block := range blocks {
		h.out.text.WriteString(indent(block))
	}
	_, err := h.out.w.Write(h.out.text.Bytes())
	return err
}

// indent returns the lines of a block set off from the margin, so that none can
// pass for an entry of the log, and without control characters, which could
// steer a terminal.
func indent(block string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(block, "\n") + "\n") {
		b.WriteString("    ")
		b.WriteString(printable(line))
	}
	return b.String()
}

// printable replaces control characters other than tabs and line ends, and
// what is no UTF-8. tint hands escape sequences to terminals and cuts values at
// the replacement character, so that is not what stands in for them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, text)
}

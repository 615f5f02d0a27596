package host

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"
)

func (h *toolHost) now(context.Context, arguments) (any, error) {
	return time.Now().UTC(), nil
}

// sleep waits for the duration, or until the call ends.
func (h *toolHost) sleep(ctx context.Context, args arguments) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	duration, _ := args["duration"].(time.Duration)
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// log writes a message with its fields, sorted by name, after the tool's name.
func (h *toolHost) log(ctx context.Context, args arguments) (any, error) {
	attrs := []slog.Attr{slog.String("tool", h.tool)}
	fields, _ := args["fields"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		if b, ok := value.([]byte); ok {
			value = string(b) // to be read, not as numbers
		}
		attrs = append(attrs, slog.Any(name, value))
	}
	h.machine.log.LogAttrs(ctx, slog.LevelInfo, args.text("message"), attrs...)
	return nil, nil
}

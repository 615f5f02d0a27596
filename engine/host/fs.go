package host

import (
	"context"

	"github.com/starmcp/starmcp/engine/host/files"
)

// The answers have the form that builtins.FS agrees with every host.

func (h *toolHost) readFile(ctx context.Context, args arguments) (any, error) {
	data, err := h.view.Read(ctx, args.text("path"), files.Part{
		First: args.number("max_bytes"),
		Last:  args.number("tail_bytes"),
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (h *toolHost) listFolder(ctx context.Context, args arguments) (any, error) {
	entries, err := h.view.List(ctx, args.text("path"))
	if err != nil {
		return nil, err
	}
	answer := make([]any, len(entries))
	for i, e := range entries {
		answer[i] = map[string]any{"name": e.Name, "type": e.Type}
	}
	return answer, nil
}

func (h *toolHost) findPaths(ctx context.Context, args arguments) (any, error) {
	found, err := h.view.Glob(ctx, args.text("pattern"))
	if err != nil {
		return nil, err
	}
	answer := make([]any, len(found))
	for i, path := range found {
		answer[i] = path
	}
	return answer, nil
}

func (h *toolHost) statFile(ctx context.Context, args arguments) (any, error) {
	path := args.text("path")
	info, err := h.view.Stat(ctx, path)
	if err != nil {
		return nil, err
	}
	var target any
	if info.Target != "" {
		target = info.Target
	}
	return map[string]any{
		"path": path, "type": info.Type, "size": info.Size, "mode": info.Mode,
		"mtime": info.Mtime, "uid": info.UID, "gid": info.GID, "target": target,
	}, nil
}

func (h *toolHost) usage(ctx context.Context, args arguments) (any, error) {
	u, err := h.view.Usage(ctx, args.text("path"))
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"total": u.Total, "free": u.Free, "available": u.Available, "used": u.Used,
		"inodes": u.Inodes, "inodes_free": u.InodesFree,
	}, nil
}

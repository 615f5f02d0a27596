package files

import (
	"context"
	"time"
)

// Info is the metadata of a file or folder.
type Info struct {
	Type   string    // "file", "dir" or "other"
	Size   int64     // in bytes; 0 for what the system makes up, as below /proc
	Mode   int64     // the permission bits
	Mtime  time.Time // of the last change, in UTC
	UID    int64     // the owner
	GID    int64     // the group
	Target string    // what the path itself says, where it is a symbolic link
}

// Stat returns the metadata of what is at a path. A symbolic link is followed,
// if it leads to what the tool may see.
func (v *View) Stat(ctx context.Context, path string) (Info, error) {
	names, err := v.stat.permit(path)
	if err != nil {
		return Info{}, err
	}
	return within(ctx, v.disk, names, func(p *pass) (Info, error) {
		info, err := v.info(p, names, keepLast)
		if err != nil || info.Target == "" {
			return info, err
		}
		target := info.Target
		info, err = v.info(p, names, followLast)
		info.Target = target
		return info, err
	})
}

func (v *View) info(p *pass, names []string, last lastLink) (Info, error) {
	end, err := find(p, &v.stat, names, last, v.stat.allows)
	if err != nil {
		return Info{}, err
	}
	defer end.close()
	return end.info(), nil
}

// Usage is the space of a filesystem, in bytes, and its files.
type Usage struct {
	Total      int64
	Free       int64 // not in use, what is kept for the administrator included
	Available  int64 // to everyone
	Used       int64 // Total - Free
	Inodes     int64 // files that it can hold; 0 where there is no limit
	InodesFree int64 // how many more
}

// Usage tells how full the filesystem is that holds a path.
func (v *View) Usage(ctx context.Context, path string) (Usage, error) {
	names, err := v.stat.permit(path)
	if err != nil {
		return Usage{}, err
	}
	return within(ctx, v.disk, names, func(p *pass) (Usage, error) {
		end, err := find(p, &v.stat, names, followLast, v.stat.allows)
		if err != nil {
			return Usage{}, err
		}
		defer end.close()
		return end.usage()
	})
}

//go:build linux || darwin

package files

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine"
)

// A place is where a walk has ended: a folder, or an entry of one. It is to be
// closed.
type place struct {
	walk  *walk
	names []string // its path, without any link in it
	fd    int      // the folder itself where name is empty, else the one that holds it
	name  string
	said  string // what it says, where it is a symbolic link
	stat  unix.Stat_t
}

func (pl *place) close() { pl.walk.close() }

// open opens a regular file for reading, and tells its size as far as the
// system knows it. Anything else is refused before it is opened. Whoever swaps
// a file for something else in between gains nothing: a link is not opened, and
// nothing is read from what is not a regular file.
func (pl *place) open() (openFile, int64, error) {
	if err := pl.mustBeFile(&pl.stat); err != nil {
		return 0, 0, err
	}
	fd, err := openat(pl.fd, pl.name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return 0, 0, pl.failure(err)
	}
	var stat unix.Stat_t
	if err = fstat(fd, &stat); err != nil {
		err = pl.failure(err)
	} else {
		err = pl.mustBeFile(&stat)
	}
	if err != nil {
		unix.Close(fd)
		return 0, 0, err
	}
	return openFile(fd), stat.Size, nil
}

func (pl *place) mustBeFile(stat *unix.Stat_t) error {
	switch mode := uint32(stat.Mode) & unix.S_IFMT; mode {
	case unix.S_IFREG:
		return nil
	case unix.S_IFDIR:
		return engine.Effectf(engine.Failed, "%s%s is a folder; list it, or read a file in it", pl.walk.link, show(pl.names))
	default:
		return engine.Effectf(engine.Failed, "%s%s is a %s; only regular files are read", pl.walk.link, show(pl.names), specialNames[mode])
	}
}

// specialNames are for messages.
var specialNames = map[uint32]string{
	unix.S_IFLNK: "symbolic link", unix.S_IFIFO: "named pipe", unix.S_IFSOCK: "socket",
	unix.S_IFCHR: "device", unix.S_IFBLK: "device",
}

// entries lists a folder, sorted by name, at most limit of them or few more.
func (pl *place) entries(limit int) ([]Entry, error) {
	if pl.name != "" {
		return nil, pl.failure(unix.ENOTDIR)
	}
	fd, err := openat(pl.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, pl.failure(err)
	}
	defer unix.Close(fd)
	entries, err := readDir(fd, limit)
	if err != nil {
		return nil, pl.failure(err)
	}
	for i := range entries {
		if e := &entries[i]; e.Type == "" {
			e.Type = typeAt(fd, e.Name)
		}
	}
	slices.SortFunc(entries, byName)
	return entries, nil
}

func typeAt(dir int, name string) string {
	var stat unix.Stat_t
	if fstatat(dir, name, &stat) != nil {
		return typeOther // it is gone by now
	}
	return typeOf(&stat)
}

func typeOf(stat *unix.Stat_t) string {
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return typeFile
	case unix.S_IFDIR:
		return typeDir
	case unix.S_IFLNK:
		return typeSymlink
	}
	return typeOther
}

// info is the metadata.
func (pl *place) info() Info {
	seconds, nanoseconds := pl.stat.Mtim.Unix()
	return Info{
		Type:  typeOf(&pl.stat),
		Size:  pl.stat.Size,
		Mode:  int64(pl.stat.Mode & 0o7777),
		Mtime: time.Unix(seconds, nanoseconds).UTC(),
		UID:   int64(pl.stat.Uid),
		GID:   int64(pl.stat.Gid),

		Target: pl.said,
	}
}

// usage tells of the filesystem that holds the place.
func (pl *place) usage() (Usage, error) {
	fd := pl.fd
	if pl.name != "" {
		handle, err := openHandle(pl.fd, pl.name)
		if err != nil {
			return Usage{}, pl.failure(err)
		}
		defer unix.Close(handle)
		fd = handle
	}
	var fs unix.Statfs_t
	if err := again(func() error { return unix.Fstatfs(fd, &fs) }); err != nil {
		return Usage{}, pl.failure(err)
	}
	block := blockSize(&fs)
	return Usage{
		Total:      int64(fs.Blocks) * block,
		Free:       int64(fs.Bfree) * block,
		Available:  int64(fs.Bavail) * block,
		Used:       int64(fs.Blocks-fs.Bfree) * block,
		Inodes:     int64(fs.Files),
		InodesFree: int64(fs.Ffree),
	}, nil
}

func (pl *place) failure(err error) error { return failure(err, pl.walk.link+show(pl.names)) }

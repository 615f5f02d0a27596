package files

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/starmcp/starmcp/engine"
)

// chunk is how much of a file is read in one step.
const chunk = 256 << 10

// A Part says how much of a file to read. The zero value is all of it.
type Part struct {
	First int64 // only this many bytes from its beginning; 0: no such limit
	Last  int64 // only this many bytes at its end; 0: no such limit
}

// Read returns the content of a regular file, or that part of it. More than
// [MaxRead] bytes are refused with the kind too_big.
//
// What the kernel makes up under /proc and /sys has no size that can be relied
// on; it is read until it ends. So the size is a hint and no more.
func (v *View) Read(ctx context.Context, path string, part Part) ([]byte, error) {
	names, err := v.read.permit(path)
	if err != nil {
		return nil, err
	}
	if err := part.check(); err != nil {
		return nil, err
	}
	return within(ctx, v.disk, names, func(p *pass) ([]byte, error) {
		found, err := find(p, &v.read, names, followLast, v.read.allows)
		if err != nil {
			return nil, err
		}
		defer found.close()
		file, size, err := found.open()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		data, err := readPart(p, file, size, part)
		switch {
		case err == errTooBig:
			return nil, engine.Effectf(engine.TooBig, "%s has more than %d bytes (4 MiB), the most that is read at once: read its end with tail_bytes, or its beginning with max_bytes", show(names), MaxRead)
		case err != nil:
			return nil, failure(err, show(names))
		}
		return data, nil
	})
}

func (part Part) check() error {
	switch {
	case part.First < 0 || part.Last < 0:
		return engine.Effectf(engine.Failed, "tail_bytes and max_bytes count bytes: at least 0")
	case part.First > 0 && part.Last > 0:
		return engine.Effectf(engine.Failed, "give tail_bytes for the end of a file or max_bytes for its beginning, not both")
	case part.First > MaxRead || part.Last > MaxRead:
		return engine.Effectf(engine.TooBig, "at most %d bytes (4 MiB) are read at once: ask for fewer with tail_bytes or max_bytes", MaxRead)
	}
	return nil
}

// readPart reads an open file. The size is only what the system says it is.
func readPart(p *pass, file io.ReadSeeker, size int64, part Part) ([]byte, error) {
	switch {
	case part.First > 0:
		return readUpTo(p, file, part.First, size)
	case part.Last > 0:
		return readTail(p, file, part.Last, size)
	}
	return readAll(p, file, size)
}

func readAll(p *pass, file io.Reader, size int64) ([]byte, error) {
	if size > MaxRead {
		return nil, errTooBig
	}
	data, err := readUpTo(p, file, MaxRead+1, size)
	if err == nil && len(data) > MaxRead {
		return nil, errTooBig
	}
	return data, err
}

var errTooBig = errors.New("more than fits into one read")

// readTail reads the last bytes of a file. A file that ends before the size
// that the system told is read from its beginning.
func readTail(p *pass, file io.ReadSeeker, last, size int64) ([]byte, error) {
	if start := size - last; start > 0 {
		if _, err := file.Seek(start, io.SeekStart); err != nil {
			return nil, err
		}
		data, err := readUpTo(p, file, last, last)
		if err != nil || int64(len(data)) == last {
			return data, err
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		size = 0
	}
	data, err := readAll(p, file, size)
	return data[max(0, int64(len(data))-last):], err
}

// readUpTo reads to the end, at most limit bytes. The size is how many to expect.
func readUpTo(p *pass, file io.Reader, limit, size int64) ([]byte, error) {
	data := make([]byte, 0, min(limit, max(size+1, 4096), chunk))
	for int64(len(data)) < limit {
		if len(data) == cap(data) {
			data = slices.Grow(data, 4096)
		}
		n, err := file.Read(data[len(data):min(cap(data), int(limit), len(data)+chunk)])
		data = data[:len(data)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	return data, nil
}

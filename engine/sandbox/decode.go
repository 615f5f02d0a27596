package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

const (
	// maxDepth bounds nesting: scripts' values nest up to 100, inside of a
	// message's own few levels.
	maxDepth = 120
	// maxValues bounds how many values one message of a worker holds, so that a
	// few bytes cannot become many times as much memory. An effect holds up to
	// 100,000, of which each may have a key.
	maxValues = 1 << 18
)

var errTruncated = errors.New("the data ends too early")

// A decoder reads encoded data, which anybody may have written.
type decoder struct {
	data  []byte
	left  int // values that may still come
	depth int
}

// decode reads one value into what target points to, and nothing may follow.
// Everything in target is a copy. values bounds how many there may be.
func decode(data []byte, target any, values int) error {
	d := &decoder{data: data, left: values}
	if err := d.into(reflect.ValueOf(target).Elem()); err != nil {
		return err
	}
	if len(d.data) > 0 {
		return fmt.Errorf("%d bytes follow the data", len(d.data))
	}
	return nil
}

// tag reads what comes next, and counts it.
func (d *decoder) tag() (tag, error) {
	if d.left--; d.left < 0 {
		return 0, errors.New("there are too many values")
	}
	if len(d.data) == 0 {
		return 0, errTruncated
	}
	t := tag(d.data[0])
	d.data = d.data[1:]
	return t, nil
}

func (d *decoder) enter() error {
	if d.depth++; d.depth > maxDepth {
		return fmt.Errorf("the data nests over %d levels", maxDepth)
	}
	return nil
}

func (d *decoder) varint() (int64, error) {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		return 0, errTruncated
	}
	d.data = d.data[size:]
	return n, nil
}

// length reads a length or a count. Each byte and each element takes a byte at
// least, so that none is greater than what is left.
func (d *decoder) length() (int, error) {
	n, size := binary.Uvarint(d.data)
	if size <= 0 || n > uint64(len(d.data)-size) {
		return 0, errTruncated
	}
	d.data = d.data[size:]
	return int(n), nil
}

// count is the length of a list or map, whose values are still to come.
func (d *decoder) count() (int, error) {
	n, err := d.length()
	if err == nil && n > d.left {
		err = errors.New("there are too many values")
	}
	return n, err
}

// bytes reads a length and as many bytes, which are not a copy.
func (d *decoder) bytes() ([]byte, error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b, nil
}

func (d *decoder) string() (string, error) {
	b, err := d.bytes()
	return string(b), err
}

// key reads the next key of a map. Keys ascend, so that no two are equal.
func (d *decoder) key(first bool, before string) (string, error) {
	key, err := d.string()
	if err == nil && !first && key <= before {
		err = errors.New("the keys of a map are out of order")
	}
	return key, err
}

// plain reads plain data.
func (d *decoder) plain() (any, error) {
	t, err := d.tag()
	if err != nil {
		return nil, err
	}
	switch t {
	case tagNil:
		return nil, nil
	case tagFalse, tagTrue:
		return t == tagTrue, nil
	case tagInt:
		return d.varint()
	case tagFloat:
		return d.float()
	case tagString:
		return d.string()
	case tagBytes:
		b, err := d.bytes()
		return append([]byte{}, b...), err
	case tagTime:
		return d.time()
	case tagDuration:
		n, err := d.varint()
		return time.Duration(n), err
	case tagList:
		return d.list()
	case tagMap:
		return d.mapping()
	}
	return nil, fmt.Errorf("%d is no tag", t)
}

func (d *decoder) float() (float64, error) {
	if len(d.data) < 8 {
		return 0, errTruncated
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
	d.data = d.data[8:]
	return f, nil
}

func (d *decoder) time() (time.Time, error) {
	seconds, err := d.varint()
	if err != nil {
		return time.Time{}, err
	}
	nanoseconds, size := binary.Uvarint(d.data)
	if size <= 0 || nanoseconds >= 1e9 {
		return time.Time{}, errors.New("a time is malformed")
	}
	d.data = d.data[size:]
	return time.Unix(seconds, int64(nanoseconds)).UTC(), nil
}

func (d *decoder) list() (any, error) {
	n, err := d.count()
	if err == nil {
		err = d.enter()
	}
	if err != nil {
		return nil, err
	}
	list := make([]any, 0, min(n, 16)) // grown while it is read: counts cost nothing to write
	for range n {
		element, err := d.plain()
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	d.depth--
	return list, nil
}

func (d *decoder) mapping() (any, error) {
	n, err := d.count()
	if err == nil {
		err = d.enter()
	}
	if err != nil {
		return nil, err
	}
	m, key := make(map[string]any), ""
	for i := range n {
		if key, err = d.key(i == 0, key); err != nil {
			return nil, err
		}
		if m[key], err = d.plain(); err != nil {
			return nil, err
		}
	}
	d.depth--
	return m, nil
}

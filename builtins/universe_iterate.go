package builtins

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// What values take, in bytes, without what they refer to.
const (
	valueSize = 16 // an element of a list or a tuple
	tupleSize = 24 // a tuple that is an element, without its own elements
	entrySize = 56 // an entry of a dict or a set
)

// A meter follows a builtin through the elements that it is given.
type meter struct {
	thread *starlark.Thread
	name   string       // of the builtin
	size   int64        // of what it allocates for each element; 0: nothing
	kept   func() int64 // how many elements it holds; nil: all that it has seen
	seen   int64
	err    error // why it was not given all
}

// through returns an iterable under the meter.
func (m *meter) through(x starlark.Iterable) (starlark.Iterable, error) {
	n := starlark.Len(x)
	if m.kept == nil {
		if err := m.check(int64(n)); err != nil {
			return nil, err
		}
	}
	if n < 0 {
		return &metered{x, m}, nil
	}
	return &meteredSequence{metered{x, m}, n}, nil
}

// lead puts iterables among args under the meter. What is none is left for the
// original to complain of.
func (m *meter) lead(args starlark.Tuple) (starlark.Tuple, error) {
	led := slices.Clone(args)
	for i, arg := range args {
		if x, ok := arg.(starlark.Iterable); ok {
			through, err := m.through(x)
			if err != nil {
				return nil, err
			}
			led[i] = through
		}
	}
	return led, nil
}

func (m *meter) check(n int64) error {
	return checkMemory(m.thread, m.name, n, m.size, "elements")
}

// next comes after each batch, and tells whether there may be another.
func (m *meter) next() bool {
	m.seen += batch
	held := m.seen
	if m.kept != nil {
		held = m.kept()
	}
	if m.err = m.check(held); m.err == nil {
		m.err = spend(m.thread, batch)
	}
	return m.err == nil
}

// call calls the original with args under the meter.
func (m *meter) call(original *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	led, err := m.lead(args)
	if err != nil {
		return nil, err
	}
	v, err := original.CallInternal(m.thread, led, kwargs)
	if m.err != nil {
		return nil, m.err
	}
	return v, err
}

// metered is an iterable under a meter.
type metered struct {
	starlark.Iterable
	meter *meter
}

func (x *metered) Iterate() starlark.Iterator {
	return &meteredIterator{x.Iterable.Iterate(), x.meter, batch}
}

// meteredSequence is one whose length is known.
type meteredSequence struct {
	metered
	length int
}

func (x *meteredSequence) Len() int { return x.length }

type meteredIterator struct {
	starlark.Iterator
	meter *meter
	left  int // of the batch
}

func (it *meteredIterator) Next(p *starlark.Value) bool {
	if it.left == 0 {
		if !it.meter.next() {
			return false
		}
		it.left = batch
	}
	it.left--
	return it.Iterator.Next(p)
}

// forLong bounds a function only where it is given an iterable that is longer
// than a batch, or of unknown length.
func forLong(bound func(*starlark.Builtin) goFunc) func(*starlark.Builtin) goFunc {
	return func(original *starlark.Builtin) goFunc {
		bounded := bound(original)
		return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if slices.ContainsFunc(args, isLong) {
				return bounded(thread, b, args, kwargs)
			}
			return original.CallInternal(thread, args, kwargs)
		}
	}
}

func isLong(v starlark.Value) bool {
	_, ok := v.(starlark.Iterable)
	n := starlark.Len(v)
	return ok && (n < 0 || n > batch)
}

// boundedIteration bounds a function whose first argument is an iterable, and
// that allocates size bytes for each element of it.
func boundedIteration(size int64) func(*starlark.Builtin) goFunc {
	return func(original *starlark.Builtin) goFunc {
		return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			m := meter{thread: thread, name: original.Name(), size: size}
			return m.call(original, args, kwargs)
		}
	}
}

// boundedExtremum bounds min and max, whose only argument is an iterable; of
// several, each is a candidate.
func boundedExtremum(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 {
			return original.CallInternal(thread, args, kwargs)
		}
		m := meter{thread: thread, name: original.Name()}
		return m.call(original, args, kwargs)
	}
}

// boundedZip bounds zip, which ends with the shortest of its arguments.
func boundedZip(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		row := int64(valueSize + tupleSize + valueSize*len(args))
		shortest := slices.MinFunc(args, func(x, y starlark.Value) int { return starlark.Len(x) - starlark.Len(y) })
		m := meter{thread: thread, name: original.Name()}
		if rows := starlark.Len(shortest); rows < 0 {
			// How many rows there are shows only as they come. The meter sees each
			// element of a row.
			m.size, m.kept = row/int64(len(args)), func() int64 { return m.seen }
		} else if err := checkMemory(thread, m.name, int64(rows), row, "rows"); err != nil {
			return nil, err
		}
		return m.call(original, args, kwargs)
	}
}

// boundedDict bounds dict. Its entries refer to keys and values that were there
// before, so that what it allocates is bounded; how often keys collide is not.
func boundedDict(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 1 {
			if mapping, ok := args[0].(starlark.IterableMapping); ok {
				args = starlark.Tuple{pairs(mapping)}
			}
		}
		m := meter{thread: thread, name: original.Name()}
		return m.call(original, args, kwargs)
	}
}

// pairs returns the entries of a mapping as dict takes them, too.
func pairs(m starlark.IterableMapping) starlark.Tuple {
	items := m.Items()
	entries := make(starlark.Tuple, len(items))
	for i, item := range items {
		entries[i] = item
	}
	return entries
}

// boundedSet bounds set. How much it holds shows only as it grows, since equal
// elements are one.
func boundedSet(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var elements starlark.Iterable
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0, &elements); err != nil || elements == nil {
			return original.CallInternal(thread, args, kwargs)
		}
		set := new(starlark.Set)
		m := meter{thread: thread, name: b.Name(), size: entrySize, kept: func() int64 { return int64(set.Len()) }}
		elements, err := m.through(elements)
		if err != nil {
			return nil, err
		}
		for x := range starlark.Elements(elements) {
			if err := set.Insert(x); err != nil {
				return nil, fmt.Errorf("%s: %v", b.Name(), err)
			}
		}
		if m.err != nil {
			return nil, m.err
		}
		return set, nil
	}
}

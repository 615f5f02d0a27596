package builtins

import (
	"sort"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// boundedSorted is sorted, which is the interpreter's except that each
// comparison counts as a step: the original cannot be stopped between two.
func boundedSorted(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var elements starlark.Iterable
		var key starlark.Callable
		var reverse bool
		err := starlark.UnpackArgs(b.Name(), args, kwargs, "iterable", &elements, "key?", &key, "reverse?", &reverse)
		if err != nil {
			return nil, err
		}
		m := meter{thread: thread, name: b.Name(), size: valueSize}
		if elements, err = m.through(elements); err != nil {
			return nil, err
		}
		// The iterator stays open while key runs, so that it cannot change a list
		// that is being sorted.
		iter := elements.Iterate()
		defer iter.Done()
		order := sorting{thread: thread}
		for x := starlark.Value(nil); iter.Next(&x); {
			order.values = append(order.values, x)
		}
		if m.err != nil {
			return nil, m.err
		}
		if err := order.makeKeys(key); err != nil {
			return nil, err
		}
		if reverse {
			sort.Stable(sort.Reverse(&order))
		} else {
			sort.Stable(&order)
		}
		return starlark.NewList(order.values), order.err
	}
}

// A sorting is a [sort.Interface] of values, by their keys. Once a comparison
// has failed nothing compares as less, so that the end is near.
type sorting struct {
	thread *starlark.Thread
	values []starlark.Value
	keys   []starlark.Value // nil: the values themselves
	effort int              // of comparing, since the thread was last asked
	err    error
}

func (s *sorting) makeKeys(key starlark.Callable) error {
	if key == nil {
		return nil
	}
	s.keys = make([]starlark.Value, len(s.values))
	for i, v := range s.values {
		k, err := starlark.Call(s.thread, key, starlark.Tuple{v}, nil)
		if err != nil {
			return err
		}
		s.keys[i] = k
	}
	return nil
}

func (s *sorting) Len() int { return len(s.values) }

func (s *sorting) Less(i, j int) bool {
	if s.err != nil {
		return false
	}
	keys := s.keys
	if keys == nil {
		keys = s.values
	}
	s.effort += 1 + commonLen(keys[i], keys[j])/batch
	if s.effort >= batch {
		if s.err = spend(s.thread, s.effort); s.err != nil {
			return false
		}
		s.effort = 0
	}
	less, err := starlark.Compare(syntax.LT, keys[i], keys[j])
	s.err = err
	return less && err == nil
}

func (s *sorting) Swap(i, j int) {
	s.values[i], s.values[j] = s.values[j], s.values[i]
	if s.keys != nil {
		s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	}
}

// commonLen is how many bytes it takes to compare two strings at most.
func commonLen(x, y starlark.Value) int {
	switch x.(type) {
	case starlark.String, starlark.Bytes:
		return min(starlark.Len(x), max(starlark.Len(y), 0))
	}
	return 0
}

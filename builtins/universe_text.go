package builtins

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

const (
	maxTextDepth = 10_000   // levels of values whose text is written
	quotedAtOnce = 64 << 10 // bytes of a string that are quoted between two looks at the limits
)

// boundedStr bounds str.
func boundedStr(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 || len(kwargs) > 0 {
			return original.CallInternal(thread, args, kwargs)
		}
		switch x := args[0].(type) {
		case starlark.String:
			return x, nil
		case starlark.Bytes:
			if err := checkDecoding(thread, b.Name(), string(x)); err != nil {
				return nil, err
			}
			return original.CallInternal(thread, args, kwargs)
		}
		return textOf(thread, b.Name(), args[0])
	}
}

// checkDecoding looks at how long bytes become as text: each byte that is not
// UTF-8 becomes three.
func checkDecoding(thread *starlark.Thread, name, data string) error {
	if int64(len(data)) <= memoryLimit(thread)/3 || utf8.ValidString(data) {
		return nil
	}
	return checkMemory(thread, name, int64(len(data)), 3, "bytes that are not UTF-8")
}

// boundedRepr bounds repr.
func boundedRepr(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) != 1 || len(kwargs) > 0 {
			return original.CallInternal(thread, args, kwargs)
		}
		return textOf(thread, b.Name(), args[0])
	}
}

func textOf(thread *starlark.Thread, name string, v starlark.Value) (starlark.Value, error) {
	if i, ok := v.(starlark.Int); ok && !tooLong(i) {
		return starlark.String(i.String()), nil
	}
	w := newTextWriter(thread, name)
	if err := w.value(v); err != nil {
		return nil, err
	}
	return starlark.String(w.out.String()), nil
}

// boundedPrint bounds print: the original gets the whole as one string.
func boundedPrint(original *starlark.Builtin) goFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		shown := slices.Clone(args)
		for i, arg := range args {
			if data, ok := arg.(starlark.Bytes); ok {
				shown[i] = starlark.String(data)
			}
		}
		text, err := Printed(thread, b.Name(), shown, kwargs)
		if err != nil {
			return nil, err
		}
		return original.CallInternal(thread, starlark.Tuple{starlark.String(text)}, nil)
	}
}

// Printed returns the text of a call such as fail(x, y, sep = ", "): strings as
// they are, and the repr of everything else. Its errors are those of the
// arguments, a [*LimitError], and that the thread was cancelled.
func Printed(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	sep := " "
	if err := starlark.UnpackArgs(name, nil, kwargs, "sep?", &sep); err != nil {
		return "", err
	}
	w := newTextWriter(thread, name)
	separator := ""
	for _, arg := range args {
		err := w.raw(separator)
		if err == nil {
			err = w.plain(arg)
		}
		if err != nil {
			return "", err
		}
		separator = sep
	}
	return w.out.String(), nil
}

// A textWriter writes the repr of values, as the interpreter does, within the
// limits of the thread. Unlike the interpreter it notices cycles that lead
// through a struct, and does not overflow the stack on them.
type textWriter struct {
	thread *starlark.Thread
	name   string // of the builtin
	out    strings.Builder
	limit  int64
	depth  int
	open   []starlark.Value // the lists and dicts around the value
	effort int              // since the thread was last asked
}

func newTextWriter(thread *starlark.Thread, name string) *textWriter {
	return &textWriter{thread: thread, name: name, limit: memoryLimit(thread)}
}

// plain writes a string as it is, and the repr of everything else.
func (w *textWriter) plain(v starlark.Value) error {
	if s, ok := v.(starlark.String); ok {
		return w.raw(string(s))
	}
	return w.value(v)
}

// value writes the repr.
func (w *textWriter) value(v starlark.Value) error {
	w.effort++
	switch v := v.(type) {
	case starlark.String:
		return w.quoted(string(v), false)
	case starlark.Bytes:
		return w.quoted(string(v), true)
	case starlark.Int:
		if err := checkDigits(w.name, v); err != nil {
			return err
		}
	case *starlark.List, starlark.Tuple, *starlark.Set, *starlark.Dict, *starlarkstruct.Struct:
		return w.container(v)
	}
	return w.raw(v.String())
}

func (w *textWriter) container(v starlark.Value) error {
	if w.depth == maxTextDepth {
		return &LimitError{Reason: fmt.Sprintf("%s: the value nests deeper than %d levels, which is the limit", w.name, maxTextDepth)}
	}
	w.depth++
	err := w.inside(v)
	w.depth--
	return err
}

func (w *textWriter) inside(v starlark.Value) error {
	switch c := v.(type) {
	case starlark.Tuple:
		if len(c) == 1 {
			return w.elements("(", v, ",)")
		}
		return w.elements("(", v, ")")
	case *starlark.Set:
		return w.elements("set([", v, "])")
	case *starlarkstruct.Struct:
		return w.fields(c)
	case *starlark.List:
		return w.once(v, "[...]", func() error { return w.elements("[", v, "]") })
	}
	return w.once(v, "{...}", func() error { return w.entries(v.(*starlark.Dict)) })
}

// once writes a list or a dict, or in its place what shows that it is within
// itself: nothing else can come to be.
func (w *textWriter) once(v starlark.Value, cycle string, write func() error) error {
	w.effort += len(w.open) / 64
	if slices.Contains(w.open, v) {
		return w.raw(cycle)
	}
	w.open = append(w.open, v)
	err := write()
	w.open = w.open[:len(w.open)-1]
	return err
}

func (w *textWriter) elements(opening string, v starlark.Value, closing string) error {
	separator := opening
	if x, ok := v.(starlark.Indexable); ok {
		for i := range x.Len() {
			if err := w.part(separator, x.Index(i)); err != nil {
				return err
			}
			separator = ", "
		}
		return w.end(separator, opening, closing)
	}
	for v := range starlark.Elements(v.(starlark.Iterable)) {
		if err := w.part(separator, v); err != nil {
			return err
		}
		separator = ", "
	}
	return w.end(separator, opening, closing)
}

func (w *textWriter) entries(d *starlark.Dict) error {
	separator := "{"
	for k, v := range starlark.Entries(d) {
		if err := w.part(separator, k); err != nil {
			return err
		}
		if err := w.part(": ", v); err != nil {
			return err
		}
		separator = ", "
	}
	return w.end(separator, "{", "}")
}

func (w *textWriter) fields(s *starlarkstruct.Struct) error {
	opening := s.Constructor().String() + "("
	if name, ok := s.Constructor().(starlark.String); ok {
		opening = string(name) + "("
	}
	separator := opening
	for i := range s.Len() {
		name, v := s.AttrAt(i)
		if err := w.part(separator+name+" = ", v); err != nil {
			return err
		}
		separator = ", "
	}
	return w.end(separator, opening, ")")
}

func (w *textWriter) part(before string, v starlark.Value) error {
	if err := w.raw(before); err != nil {
		return err
	}
	return w.value(v)
}

// end closes what has been opened, unless it had no part.
func (w *textWriter) end(separator, opening, closing string) error {
	if separator == opening {
		closing = opening + closing
	}
	return w.raw(closing)
}

// raw writes text as it is.
func (w *textWriter) raw(text string) error {
	if int64(w.out.Len())+int64(len(text)) > w.limit {
		return &LimitError{Memory: true, Reason: fmt.Sprintf("%s: the text is longer than the memory limit of %s; ask for less at once", w.name, FormatBytes(w.limit))}
	}
	w.out.WriteString(text)
	w.effort += len(text) / batch
	if w.effort < batch {
		return nil
	}
	err := spend(w.thread, w.effort)
	w.effort = 0
	return err
}

// quoted writes a literal, a part at a time: quoted, a string can be several
// times as long.
func (w *textWriter) quoted(s string, binary bool) error {
	for first := true; ; first = false {
		n := min(len(s), quotedAtOnce)
		for n < len(s) && n > quotedAtOnce-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		literal := syntax.Quote(s[:n], binary)
		s = s[n:]
		if !first {
			literal = literal[strings.IndexByte(literal, '"')+1:]
		}
		if s == "" {
			return w.raw(literal)
		}
		if err := w.raw(literal[:len(literal)-1]); err != nil {
			return err
		}
	}
}

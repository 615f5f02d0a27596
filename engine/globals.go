package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/builtins/spell"
)

// checkTypos finds globals that are one slip away from a known one: long enough
// not to be so by chance, unused, and with the known one not defined.
func (f *file) checkTypos(known []string) {
	for _, name := range f.globals.Keys() {
		if len(name) < 5 || slices.Contains(known, name) {
			continue
		}
		for _, want := range known {
			if !f.globals.Has(want) && spell.Distance(name, want, 2) == 1 && !f.uses(name) {
				f.addAt(name, "", fmt.Sprintf("did you mean %s?", want), "%s is not a global that starmcp knows", name)
			}
		}
	}
}

// str returns a global that must be a string, or "" where it is absent.
func (f *file) str(global string) string {
	v, ok := f.globals[global]
	if !ok || v == starlark.None {
		return ""
	}
	s, ok := v.(starlark.String)
	if !ok {
		f.addAt(global, "", "", "%s: got %s, want a string", global, v.Type())
	}
	return string(s)
}

// dict returns a global that must be a dict with string keys, or nil.
func (f *file) dict(global string) *starlark.Dict {
	v, ok := f.globals[global]
	if !ok || v == starlark.None {
		return nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		f.addAt(global, "", "", "%s: got %s, want a dict", global, v.Type())
		return nil
	}
	for _, k := range d.Keys() {
		if _, ok := k.(starlark.String); !ok {
			f.addAt(global, "", "", "%s has a key that is no string, but %s", global, k.Type())
			return nil
		}
	}
	return d
}

// maxDocument bounds the JSON of a global, in bytes: a value of a few lines can
// share parts that are written out once for each place.
const maxDocument = 1 << 20

// document returns a global as a JSON document, and false where it is absent
// or cannot be one.
func (f *file) document(global string, want string) (jsontree.Node, bool) {
	v, ok := f.globals[global]
	if !ok || v == starlark.None {
		return jsontree.Node{}, false
	}
	if v.Type() != want {
		f.addAt(global, "", "", "%s: got %s, want a %s", global, v.Type(), want)
		return jsontree.Node{}, false
	}
	text, err := builtins.AppendJSON(nil, v, builtins.Encoding{Name: global, MaxBytes: maxDocument})
	if err != nil {
		f.addAt(global, "", "", "%s", err)
		return jsontree.Node{}, false
	}
	doc, err := jsontree.Parse(text, jsontree.Caps{})
	if err != nil {
		f.addAt(global, "", "", "%s: %s", global, err)
		return jsontree.Node{}, false
	}
	return doc, true
}

// stringList returns strings in a list or tuple; what else stands there is a
// problem at its place.
func (f *file) stringList(global, pointer string, v starlark.Value) []string {
	seq, ok := v.(starlark.Sequence)
	if _, isDict := v.(*starlark.Dict); !ok || isDict {
		f.addAt(global, pointer, "", "got %s, want a list of strings", v.Type())
		return nil
	}
	out := make([]string, 0, seq.Len())
	it := seq.Iterate()
	defer it.Done()
	var item starlark.Value
	for i := 0; it.Next(&item); i++ {
		s, ok := item.(starlark.String)
		if !ok {
			f.addAt(global, fmt.Sprintf("%s/%d", pointer, i), "", "got %s, want a string", item.Type())
			continue
		}
		out = append(out, string(s))
	}
	return out
}

// needs returns a global that lists patterns by capability.
func (f *file) needs(global string) Needs {
	d := f.dict(global)
	if d == nil {
		return nil
	}
	out := make(Needs, d.Len())
	for _, item := range d.Items() {
		capability := string(item[0].(starlark.String))
		out[capability] = f.stringList(global, "/"+capability, item[1])
	}
	return out
}

// addNeedErrors reports what a policy finds wrong in such a global.
func (f *file) addNeedErrors(global string, errs []NeedError) {
	for _, e := range errs {
		pointer := "/" + e.Capability
		if e.Index >= 0 {
			pointer = fmt.Sprintf("%s/%d", pointer, e.Index)
		}
		f.addAt(global, pointer, e.Hint, "%s", e.Message)
	}
}

// duration reads "10s", a number of seconds, or a time.duration.
func duration(v starlark.Value) (time.Duration, error) {
	switch v := v.(type) {
	case libtime.Duration:
		return time.Duration(v), nil
	case starlark.String:
		if d, err := time.ParseDuration(string(v)); err == nil {
			return d, nil
		}
	case starlark.Int, starlark.Float:
		seconds, _ := starlark.AsFloat(v)
		return time.Duration(seconds * float64(time.Second)), nil
	}
	return 0, fmt.Errorf("got %s, want a duration such as \"10s\" or a number of seconds", brief(v))
}

// brief shows a value in a message. Only scalars are written out: the text of
// others can be longer than the machine's memory.
func brief(v starlark.Value) string {
	const most = 40
	switch v := v.(type) {
	case starlark.String:
		if len(v) <= most {
			return v.String()
		}
	case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType:
		if text := v.String(); len(text) <= most {
			return text
		}
	}
	return v.Type()
}

var byteUnits = []struct {
	suffix string
	size   int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1},
}

// byteSize reads a number of bytes, or a string such as "64MiB".
func byteSize(v starlark.Value) (int64, error) {
	bad := fmt.Errorf("got %s, want a number of bytes or a string such as \"64MiB\"", brief(v))
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
	case starlark.String:
		for _, unit := range byteUnits {
			if digits, ok := strings.CutSuffix(string(v), unit.suffix); ok {
				var n int64
				if _, err := fmt.Sscanf(strings.TrimSpace(digits)+"\n", "%d\n", &n); err != nil || n > 1<<62/unit.size {
					return 0, bad
				}
				return n * unit.size, nil
			}
		}
	}
	return 0, bad
}

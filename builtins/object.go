package builtins

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/starmcp/starmcp/builtins/spell"
	"go.starlark.net/starlark"
)

// An Object is an immutable value with attributes: a module, ctx, or a part of
// ctx. It lists its attributes sorted.
type Object struct {
	name     string
	kind     string
	names    []string // sorted
	values   []starlark.Value
	withheld map[string]string // attributes that exist but not here, and why
}

var _ starlark.HasAttrs = (*Object)(nil)

// NewObject returns an object with these attributes, which it freezes. name is
// how scripts reach it, kind what type() says.
func NewObject(name, kind string, attrs starlark.StringDict) *Object {
	o := &Object{name: name, kind: kind, names: slices.Sorted(maps.Keys(attrs))}
	for _, n := range o.names {
		attrs[n].Freeze()
		o.values = append(o.values, attrs[n])
	}
	return o
}

// With returns a copy of o with one more attribute, or another value for it.
// The value is frozen.
func (o *Object) With(name string, v starlark.Value) *Object {
	v.Freeze()
	c := *o
	i, found := slices.BinarySearch(o.names, name)
	c.values = slices.Clone(o.values)
	if found {
		c.values[i] = v
		return &c
	}
	c.names = slices.Insert(slices.Clone(o.names), i, name)
	c.values = slices.Insert(c.values, i, v)
	return &c
}

// String returns <module json>, or <ctx>.
func (o *Object) String() string {
	if o.kind == o.name {
		return "<" + o.name + ">"
	}
	return "<" + o.kind + " " + o.name + ">"
}

func (o *Object) Type() string          { return o.kind }
func (o *Object) Freeze()               {} // it is, from the start
func (o *Object) Truth() starlark.Bool  { return true }
func (o *Object) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", o.kind) }

// AttrNames returns the names of the attributes, sorted.
func (o *Object) AttrNames() []string { return slices.Clone(o.names) }

// Attr returns an attribute. The error for an unknown one says what was probably
// meant, or why it is not offered.
func (o *Object) Attr(name string) (starlark.Value, error) {
	if i := sort.SearchStrings(o.names, name); i < len(o.names) && o.names[i] == name {
		return o.values[i], nil
	}
	if why, ok := o.withheld[name]; ok {
		return nil, fmt.Errorf("%s.%s is not offered: %s", o.name, name, why)
	}
	hint := ""
	if near := spell.Nearest(name, o.names); near != "" {
		hint = fmt.Sprintf(", did you mean .%s?", near)
	}
	return nil, fmt.Errorf("%s has no .%s%s", o.name, name, hint)
}

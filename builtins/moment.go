package builtins

import (
	"fmt"
	"time"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Moment is a point in time as scripts see it: lib/time's time.time, except
// that its zones come from the embedded data and never from the machine, and
// that a duration minus a time is an error.
type Moment time.Time

var (
	_ starlark.HasAttrs       = Moment{}
	_ starlark.HasBinary      = Moment{}
	_ starlark.TotallyOrdered = Moment{}
)

func (m Moment) String() string        { return libtime.Time(m).String() }
func (m Moment) Type() string          { return "time.time" }
func (m Moment) Freeze()               {}
func (m Moment) Truth() starlark.Bool  { return libtime.Time(m).Truth() }
func (m Moment) Hash() (uint32, error) { return libtime.Time(m).Hash() }

// Cmp compares by the point in time, whatever the zones.
func (m Moment) Cmp(y starlark.Value, _ int) (int, error) {
	return time.Time(m).Compare(time.Time(y.(Moment))), nil
}

// AttrNames lists the attributes, sorted.
func (m Moment) AttrNames() []string { return momentAttrs }

var momentAttrs = []string{
	"day", "format", "hour", "in_location", "minute", "month", "nanosecond",
	"second", "unix", "unix_nano", "year",
}

// Attr returns a part of the time, or one of its methods.
func (m Moment) Attr(name string) (starlark.Value, error) {
	switch name {
	case "format":
		return momentFormat.BindReceiver(m), nil
	case "in_location":
		return momentInLocation.BindReceiver(m), nil
	}
	return libtime.Time(m).Attr(name)
}

var momentFormat = starlark.NewBuiltin("time.time.format", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	layout := time.RFC3339
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "layout?", &layout); err != nil {
		return nil, err
	}
	return starlark.String(time.Time(b.Receiver().(Moment)).Format(layout)), nil
})

var momentInLocation = starlark.NewBuiltin("time.time.in_location", func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "location", &name); err != nil {
		return nil, err
	}
	loc, err := zone(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name(), err)
	}
	return Moment(time.Time(b.Receiver().(Moment)).In(loc)), nil
})

// Binary implements time + duration, duration + time, time - duration and
// time - time.
func (m Moment) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	t := time.Time(m)
	switch y := y.(type) {
	case libtime.Duration:
		switch {
		case op == syntax.PLUS:
			return Moment(t.Add(time.Duration(y))), nil
		case op == syntax.MINUS && side == starlark.Left:
			return Moment(t.Add(-time.Duration(y))), nil
		}
	case Moment:
		if op == syntax.MINUS && side == starlark.Left {
			return libtime.Duration(t.Sub(time.Time(y))), nil
		}
	}
	return nil, nil
}

// parseMoment reads a time. What s does not say of the zone is taken from loc.
func parseMoment(s, layout string, loc *time.Location) (starlark.Value, error) {
	t, err := time.ParseInLocation(layout, s, loc)
	if err != nil {
		return nil, fmt.Errorf("%s is not a time written like %q", quoteShort(s), layout)
	}
	return Moment(t), nil
}

package builtins

import (
	"fmt"
	"time"

	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
)

// Times is the module time. It knows no clock and no local zone, so the same
// call gives the same result everywhere; ctx.now is the clock.
var Times = &Module{
	Name: "time",
	Doc: "Points in time, durations and time zones. " +
		"There is no clock here (that is ctx.now) and no local zone: zones come from data that starmcp carries. " +
		"Times compare, and time + duration, time - duration, time - time, duration * int and duration / duration are defined.",
	Funcs: []*Func{
		{
			Name: "parse_duration",
			Doc:  "Reads a duration, a sequence of numbers with units: h, m, s, ms, us, ns.",
			Params: []Param{
				{Name: "d", Type: Duration, Doc: `Such as "1h30m" or "50ms"; a number counts seconds.`},
			},
			Returns: "A time.duration.",
			Example: Example{`time.parse_duration("90s")`, `1m30s`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				return args[0], nil
			},
		},
		{
			Name: "parse_time",
			Doc:  "Reads a time. It is an error if the text does not have the layout.",
			Params: []Param{
				{Name: "x", Type: Str, Doc: "The text."},
				{Name: "format", Type: Str, Default: starlark.String(time.RFC3339), Doc: `Go's reference time, Mon Jan 2 15:04:05 MST 2006, written as the text is: "02/Jan/2006:15:04:05 -0700".`},
				{Name: "location", Type: Str, Default: starlark.String("UTC"), Doc: "The time zone for text that does not say its own."},
			},
			Returns: "A time.time.",
			Example: Example{`time.parse_time("2026-01-02T03:04:05+02:00").unix`, `1767315845`},
			Call:    parseTime,
		},
		{
			Name: "from_timestamp",
			Doc:  "Makes a time of a Unix timestamp.",
			Params: []Param{
				{Name: "sec", Type: Int, Doc: "Seconds since 1970-01-01 UTC."},
				{Name: "nsec", Type: Int, Default: starlark.MakeInt(0), Doc: "Nanoseconds to add."},
			},
			Returns: "A time.time in UTC. It is an error outside of the years 0 to 9999.",
			Example: Example{`time.from_timestamp(1767323045)`, `2026-01-02 03:04:05 +0000 UTC`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				sec, _ := args[0].(starlark.Int).Int64()
				nsec, _ := args[1].(starlark.Int).Int64()
				return inRange(time.Unix(sec, nsec).UTC())
			},
		},
		{
			Name: "time",
			Doc:  "Makes a time of its parts. Parts out of range carry over: the 32nd of January is the 1st of February.",
			Params: []Param{
				{Name: "year", Type: Int, NameOnly: true, Doc: "0 to 9999."},
				{Name: "month", Type: Int, NameOnly: true, Default: starlark.MakeInt(1), Doc: "1 is January."},
				{Name: "day", Type: Int, NameOnly: true, Default: starlark.MakeInt(1), Doc: "Of the month, from 1."},
				{Name: "hour", Type: Int, NameOnly: true, Default: starlark.MakeInt(0), Doc: "0 to 23."},
				{Name: "minute", Type: Int, NameOnly: true, Default: starlark.MakeInt(0), Doc: "0 to 59."},
				{Name: "second", Type: Int, NameOnly: true, Default: starlark.MakeInt(0), Doc: "0 to 59."},
				{Name: "nanosecond", Type: Int, NameOnly: true, Default: starlark.MakeInt(0), Doc: "0 to 999999999."},
				{Name: "location", Type: Str, NameOnly: true, Default: starlark.String("UTC"), Doc: `A time zone, such as "Europe/Berlin".`},
			},
			Returns: "A time.time in that zone.",
			Example: Example{`time.time(year = 2026, month = 7, day = 1, location = "Europe/Berlin")`, `2026-07-01 00:00:00 +0200 CEST`},
			Call:    makeTime,
		},
		{
			Name: "is_valid_timezone",
			Doc:  "Tells whether a time zone is known. The local one is not.",
			Params: []Param{
				{Name: "loc", Type: Str, Doc: `A name of the IANA database, such as "Europe/Berlin".`},
			},
			Returns: "A bool.",
			Example: Example{`time.is_valid_timezone("Mars/Olympus")`, `False`},
			Call: func(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
				_, err := zone(string(args[0].(starlark.String)))
				return starlark.Bool(err == nil), nil
			},
		},
	},
	Consts: []Const{
		{"nanosecond", "One nanosecond, a time.duration.", libtime.Duration(time.Nanosecond)},
		{"microsecond", "One microsecond, a time.duration.", libtime.Duration(time.Microsecond)},
		{"millisecond", "One millisecond, a time.duration.", libtime.Duration(time.Millisecond)},
		{"second", "One second, a time.duration.", libtime.Duration(time.Second)},
		{"minute", "One minute, a time.duration.", libtime.Duration(time.Minute)},
		{"hour", "One hour, a time.duration.", libtime.Duration(time.Hour)},
	},
	Shapes: []Shape{
		{
			Name: "A time.time",
			Doc:  "A point in time, in a zone. As a result it is written in RFC 3339, in UTC.",
			Attrs: []Attr{
				{"year", "int."},
				{"month", "int, 1 is January."},
				{"day", "int, of the month."},
				{"hour", "int."},
				{"minute", "int."},
				{"second", "int."},
				{"nanosecond", "int, within the second."},
				{"unix", "int, seconds since 1970-01-01 UTC."},
				{"unix_nano", "int, nanoseconds since 1970-01-01 UTC."},
				{"format(layout)", "string, in Go's layout; RFC 3339 by default."},
				{"in_location(location)", "the same point in time in another zone."},
			},
		},
		{
			Name: "A time.duration",
			Doc:  "A span of time. As a result it is written as Go does: 1h30m0s.",
			Attrs: []Attr{
				{"hours", "float, the whole span in hours."},
				{"minutes", "float, the whole span in minutes."},
				{"seconds", "float, the whole span in seconds."},
				{"milliseconds", "int, the whole span in milliseconds."},
				{"microseconds", "int, the whole span in microseconds."},
				{"nanoseconds", "int, the whole span in nanoseconds."},
			},
		},
	},
}

func parseTime(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	loc, err := zone(string(args[2].(starlark.String)))
	if err != nil {
		return nil, err
	}
	return parseMoment(string(args[0].(starlark.String)), string(args[1].(starlark.String)), loc)
}

func makeTime(_ *starlark.Thread, args []starlark.Value) (starlark.Value, error) {
	loc, err := zone(string(args[7].(starlark.String)))
	if err != nil {
		return nil, err
	}
	var part [7]int
	for i := range part {
		if part[i], err = starlark.AsInt32(args[i]); err != nil {
			return nil, err
		}
	}
	return inRange(time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], part[6], loc))
}

// inRange refuses times that RFC 3339, and so a result, cannot hold.
func inRange(t time.Time) (starlark.Value, error) {
	if y := t.UTC().Year(); y < 0 || y > 9999 {
		return nil, fmt.Errorf("the time is in the year %d, outside of 0 to 9999", y)
	}
	return Moment(t), nil
}

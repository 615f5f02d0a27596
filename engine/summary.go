package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"go.starlark.net/starlark"
)

// inStructured ends the summaries of what is more than one number or text.
const inStructured = " in structuredContent."

// summarise says in one line what structured content holds. text is its JSON.
func summarise(value starlark.Value, text []byte) string {
	switch v := value.(type) {
	case starlark.String:
		return string(v)
	case starlark.Bytes:
		return string(v)
	case starlark.NoneType:
		return ""
	case starlark.IterableMapping:
		return summariseMembers(v.Items()) + inStructured
	case starlark.Sequence:
		return countItems(v.Len()) + inStructured
	case starlark.Iterable:
		return "A list" + inStructured
	case starlark.HasAttrs:
		if text[0] == '{' {
			return summariseMembers(attributes(v)) + inStructured
		}
	}
	return string(text)
}

// attributes returns names and values, as the items of a dict are.
func attributes(v starlark.HasAttrs) []starlark.Tuple {
	var items []starlark.Tuple
	for _, name := range v.AttrNames() {
		if member, err := v.Attr(name); err == nil {
			items = append(items, starlark.Tuple{starlark.String(name), member})
		}
	}
	return items
}

// summariseMembers tells of an object with one list in it how long that is,
// else its keys.
func summariseMembers(items []starlark.Tuple) string {
	const most = 12
	if len(items) == 0 {
		return "An empty object"
	}
	lists, list := 0, ""
	var keys []string
	for _, item := range items {
		key := shortKey(string(item[0].(starlark.String)))
		if len(keys) < most {
			keys = append(keys, key)
		}
		if n := listLength(item[1]); n >= 0 {
			lists++
			list = fmt.Sprintf("%d %s", n, key)
		}
	}
	if lists == 1 {
		return list
	}
	if more := len(items) - len(keys); more > 0 {
		keys = append(keys, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(keys, ", ")
}

// listLength returns how long a list, or what becomes one, is; else -1.
func listLength(v starlark.Value) int {
	if _, ok := v.(starlark.IterableMapping); ok {
		return -1
	}
	if s, ok := v.(starlark.Sequence); ok {
		return s.Len()
	}
	return -1
}

// shortKey returns a key as it fits into a line.
func shortKey(key string) string {
	const most = 64 // bytes
	if len(key) > most {
		key = cutAt(key, most) + "..."
	}
	if strings.ContainsFunc(key, unicode.IsControl) {
		return strconv.Quote(key)
	}
	return key
}

func countItems(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// describe says what a value is, with its size and never itself.
func describe(n jsontree.Node) string {
	switch n.Kind {
	case jsontree.Null:
		return "null"
	case jsontree.Number:
		if isInteger(n.Text) {
			return "an integer"
		}
		return "a number"
	case jsontree.String:
		return "a string of " + plural(utf8.RuneCountInString(n.Text), "character", "characters")
	case jsontree.Array:
		return "an array of " + plural(len(n.Items), "item", "items")
	case jsontree.Object:
		return "an object of " + plural(len(n.Items), "property", "properties")
	}
	return "a boolean"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// withArticle puts a type's name into a sentence.
func withArticle(typeName string) string {
	switch {
	case typeName == "null":
		return typeName
	case strings.ContainsRune("aio", rune(typeName[0])):
		return "an " + typeName
	}
	return "a " + typeName
}

// oneOfTypes names the types that are wanted: "an integer or null".
func oneOfTypes(types []string) string {
	list := make([]string, len(types))
	for i, t := range types {
		list[i] = withArticle(t)
	}
	return join(list, "or")
}

// join lists what there is: "a, b or c".
func join(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}

// maxListed is how many allowed values or known names a message lists.
const maxListed = 20

// listed writes the values of an enum as JSON.
func listed(values []jsontree.Node) string {
	var list []string
	for _, v := range values[:min(len(values), maxListed)] {
		list = append(list, shorten(string(v.AppendJSON(nil))))
	}
	if more := len(values) - maxListed; more > 0 {
		return fmt.Sprintf("%s or one of %d more", strings.Join(list, ", "), more)
	}
	return join(list, "or")
}

// shorten makes a schema's or an agent's text fit a line of a message.
func shorten(s string) string {
	const most = 100
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s[:min(len(s), 4*most)])[:most]) + "..."
	}
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}

// wants says what a rule accepts, as far as it fits a few words.
func (r *rule) wants() string {
	for s := range r.chain {
		switch {
		case s.hasEnum:
			return listed(s.enum)
		case s.constant != nil:
			return listed([]jsontree.Node{*s.constant})
		case s.format != "" && slices.Equal(s.types, []string{"string"}):
			return wantsFormat(s.format)
		case s.types != nil:
			return oneOfTypes(s.types)
		}
	}
	for _, choice := range [][]*rule{r.anyOf, r.oneOf} {
		var list []string
		for _, s := range choice {
			if w := s.wants(); !slices.Contains(list, w) {
				list = append(list, w)
			}
		}
		if list != nil {
			return join(list, "or")
		}
	}
	return "a value"
}

// formatExamples show how the formats look that agents get wrong.
var formatExamples = map[string]string{
	"date-time": "2026-01-31T13:45:00Z",
	"date":      "2026-01-31",
	"time":      "13:45:00Z",
	"duration":  "PT1H30M",
	"email":     "ada@example.com",
	"uri":       "https://example.com/a",
	"uuid":      "123e4567-e89b-12d3-a456-426614174000",
	"ipv4":      "192.0.2.1",
	"ipv6":      "2001:db8::1",
	"hostname":  "db7.example.com",
}

func wantsFormat(format string) string {
	if example := formatExamples[format]; example != "" {
		return fmt.Sprintf("a string in the format %s, such as %s", format, example)
	}
	return "a string in the format " + format
}

// Package argcases holds the cases that show how arguments are read: for a
// schema and the raw arguments of a call, the values that the tool gets, or the
// exact message. Every entry to the server is tested with the same ones.
package argcases

import (
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

//go:embed arguments.txt
var text string

// A Group is an input schema with its cases.
type Group struct {
	Name   string // letters and _, unique
	Schema string // JSON, on one line
	Cases  []Case
}

// A Case is one call. Want or Error is set.
type Case struct {
	Line      int    // in arguments.txt
	Arguments string // raw JSON
	Want      string // the object that the tool gets, as compact JSON
	Notes     []string
	Error     string // the whole message
	Refused   bool   // the error is the protocol's (-32602), and not a result that the agent reads
}

// preamble is the first line of every message about faults of arguments.
const preamble = "The arguments do not fit the tool's input schema; nothing was run."

// Groups reads the cases. Each line of the file begins with what it is:
//
//	== NAME     a new group
//	schema JSON its schema; lines that go on are indented
//	-> JSON     a case: the raw arguments
//	<- JSON     what the tool gets
//	+ TEXT      a note to the agent
//	! TEXT      a line of the message about faults, its first line left out
//	!! TEXT     a message as a whole
//	!- TEXT     the same, as a refusal of the protocol
//	# TEXT      a comment
func Groups() []Group {
	var groups []Group
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if word == "==" {
			groups = append(groups, Group{Name: rest})
			continue
		}
		if word == "#" || line == "" {
			continue
		}
		g := &groups[len(groups)-1]
		switch word {
		case "schema":
			g.Schema = rest
		case "":
			g.Schema += strings.TrimSpace(rest)
		case "->":
			g.Cases = append(g.Cases, Case{Line: i + 1, Arguments: rest})
		default:
			g.Cases[len(g.Cases)-1].add(word, rest)
		}
	}
	return groups
}

func (c *Case) add(word, rest string) {
	switch word {
	case "<-":
		c.Want = rest
	case "+":
		c.Notes = append(c.Notes, rest)
	case "!":
		if c.Error == "" {
			c.Error = preamble
		}
		c.Error += "\n" + rest
	case "!!":
		c.Error = rest
	case "!-":
		c.Error, c.Refused = rest, true
	default:
		panic(fmt.Sprintf("arguments.txt: line %d is followed by %q", c.Line, word))
	}
}

// Same tells whether two JSON texts are the same to a script: members in any
// order, and numbers equal in value and both integers or both not, as 1 and 1.0
// are not. A value comes back from a script so, and not byte for byte.
func Same(a, b string) bool {
	x, err := jsontree.Parse([]byte(a), jsontree.Caps{})
	if err != nil {
		return false
	}
	y, err := jsontree.Parse([]byte(b), jsontree.Caps{})
	return err == nil && same(&x, &y)
}

func same(x, y *jsontree.Node) bool {
	if x.Kind != y.Kind || len(x.Items) != len(y.Items) {
		return false
	}
	switch x.Kind {
	case jsontree.String:
		return x.Text == y.Text
	case jsontree.Number:
		return isInt(x.Text) == isInt(y.Text) && value(x.Text).Cmp(value(y.Text)) == 0
	case jsontree.Array:
		return slices.EqualFunc(x.Items, y.Items, func(p, q jsontree.Node) bool { return same(&p, &q) })
	}
	for i, name := range x.Names {
		if other, ok := y.Get(name); !ok || !same(&x.Items[i], other) {
			return false
		}
	}
	return true
}

func isInt(literal string) bool { return !strings.ContainsAny(literal, ".eE") }

func value(literal string) *big.Rat {
	r, _ := new(big.Rat).SetString(literal)
	return r
}

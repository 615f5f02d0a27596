package jsontree

import (
	"fmt"
	"strings"
)

// Caps bound a document. Zero means no bound, except that nesting over 10,000
// is always refused.
type Caps struct {
	Bytes    int // of the whole text
	Depth    int // arrays and objects within each other
	Nodes    int // values, whether scalar, array or object
	Keys     int // members of one object
	Digits   int // of one number, its exponent aside
	Exponent int // of one number, either way
}

// ArgumentCaps are in force for what an agent sends as a tool's arguments.
var ArgumentCaps = Caps{
	Bytes:    2 << 20,
	Depth:    64,
	Nodes:    100_000,
	Keys:     10_000,
	Digits:   400,
	Exponent: 400,
}

// A CapError says that a document is over one of its [Caps].
type CapError struct {
	Cap    string // "bytes", "depth", "nodes", "keys", "digits" or "exponent"; "steps" of a check
	Limit  int    // what is allowed
	Offset int    // in bytes, of what went over
	Of     string // whose JSON it is to who reads the message, such as "the arguments"; may be empty
}

var capMessages = map[string]string{
	"bytes":    "%[2]s is larger than %[1]s bytes",
	"depth":    "%[2]s is nested deeper than %[1]s levels",
	"nodes":    "%[2]s has more than %[1]s values",
	"keys":     "an object in %[2]s has more than %[1]s keys",
	"digits":   "a number in %[2]s has more than %[1]s digits",
	"exponent": "a number in %[2]s has an exponent over %[1]s",
	"steps":    "checking %[2]s against its schema takes more than %[1]s steps: send less, or nest it less deeply",
}

func (e *CapError) Error() string {
	document := "the JSON"
	if e.Of != "" {
		document += " of " + e.Of
	}
	return fmt.Sprintf(capMessages[e.Cap], grouped(e.Limit), document)
}

// grouped writes n with commas between its thousands.
func grouped(n int) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// checkNumber looks at a valid number literal.
func (c Caps) checkNumber(literal []byte) *CapError {
	digits, i := 0, 0
	for ; i < len(literal) && literal[i]|0x20 != 'e'; i++ {
		if isDigit(literal[i]) {
			digits++
		}
	}
	if c.Digits > 0 && digits > c.Digits {
		return &CapError{Cap: "digits", Limit: c.Digits}
	}
	if c.Exponent == 0 {
		return nil
	}
	exponent := 0
	for ; i < len(literal); i++ {
		if isDigit(literal[i]) {
			exponent = exponent*10 + int(literal[i]-'0')
		}
		if exponent > c.Exponent {
			return &CapError{Cap: "exponent", Limit: c.Exponent}
		}
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

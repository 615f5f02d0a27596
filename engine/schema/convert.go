package schema

import (
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// convert returns what a value of the wrong type was meant to be, if one of the
// wanted types can be read from it. A value has at most one other reading:
//
//   - a string that is a JSON number, where a number is wanted; for an integer
//     it must be written without fraction and exponent. So "10" and "-3" are
//     integers and "10.0", "1e3", "+5", "007", "0x10", " 10" and "" are not;
//   - the strings "true" and "false", where a boolean is wanted;
//   - a string that holds a JSON array or object, where that is wanted;
//   - a number, where a string is wanted: its own digits, so 1.10 is "1.10".
//
// The error is a [*jsontree.CapError]: what the string holds is over a cap.
func convert(n *jsontree.Node, wanted kinds, caps jsontree.Caps) (to jsontree.Node, ok bool, err error) {
	switch n.Kind {
	case jsontree.Number:
		return jsontree.Node{Kind: jsontree.String, Text: n.Text}, wanted&isString != 0, nil
	case jsontree.String:
		return read(n.Text, wanted, caps)
	}
	return to, false, nil
}

// read reads a string as JSON, if a wanted type can come of it.
func read(s string, wanted kinds, caps jsontree.Caps) (to jsontree.Node, ok bool, err error) {
	switch c := strings.TrimLeft(s, " \t\r\n"); {
	case s == "true":
		return jsontree.Node{Kind: jsontree.True}, wanted&isBoolean != 0, nil
	case s == "false":
		return jsontree.Node{Kind: jsontree.False}, wanted&isBoolean != 0, nil
	case wanted&isArray != 0 && strings.HasPrefix(c, "["):
	case wanted&isObject != 0 && strings.HasPrefix(c, "{"):
	case wanted&(isNumber|isInt) != 0 && s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9'):
	default:
		return to, false, nil
	}
	to, err = jsontree.Parse([]byte(s), caps)
	if err != nil {
		over, _ := err.(*jsontree.CapError)
		if over == nil {
			return to, false, nil
		}
		return to, false, over
	}
	if to.Kind == jsontree.Number {
		return to, to.Text == s && (wanted&isNumber != 0 || isPlain(s)), nil
	}
	return to, true, nil
}

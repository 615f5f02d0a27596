package schema

import (
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// convert returns the other reading of a value of the wrong type, if one of the
// wanted types can be read from it; [Input.Bind] says how.
//
// The error is a [*jsontree.CapError]: what the string holds is over a cap.
func convert(n *jsontree.Node, wanted kinds) (to jsontree.Node, ok bool, err error) {
	switch n.Kind {
	case jsontree.Number:
		return jsontree.Node{Kind: jsontree.String, Text: n.Text}, wanted&isString != 0, nil
	case jsontree.String:
		return read(n.Text, wanted)
	}
	return to, false, nil
}

// read reads a string as JSON, if a wanted type can come of it.
func read(s string, wanted kinds) (to jsontree.Node, ok bool, err error) {
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
	to, err = jsontree.Parse([]byte(s), jsontree.ArgumentCaps)
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

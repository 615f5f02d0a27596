package mcp

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/starmcp/starmcp/engine"
)

// paramMismatch says which Mcp-Param header contradicts the arguments as they
// were sent; empty: none does.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http,
// "Server Behavior for Custom Headers".
func paramMismatch(params []engine.HeaderParam, h http.Header, arguments raw) string {
	for i := range params {
		if problem := checkParam(&params[i], h, arguments); problem != "" {
			return problem
		}
	}
	return ""
}

func checkParam(p *engine.HeaderParam, h http.Header, arguments raw) string {
	name := http.CanonicalHeaderKey(headerParam + p.Header)
	arg := lookup(arguments, p.Path)
	if arg == nil || arg.isNull() {
		if len(h[name]) > 0 {
			return name + " is there, and the body has no argument " + strings.Join(p.Path, ".") + ": send both or neither"
		}
		return ""
	}
	if len(h[name]) == 0 {
		return name + " is missing: argument " + strings.Join(p.Path, ".") + " has to be sent as a header too"
	}
	value, problem := oneEncoded(h, name)
	if problem == "" && !sameValue(value, arg) {
		problem = differs(name, value, "otherwise in argument "+strings.Join(p.Path, "."))
	}
	return problem
}

// lookup finds the value at a path of names; nil: there is none.
func lookup(value raw, path []string) raw {
	for _, name := range path {
		if value = member(value, name); value == nil {
			return nil
		}
	}
	return value
}

// member returns the value of an object's member; nil: no object, or no such
// member. The object is known to be well formed.
func member(object raw, name string) raw {
	if !object.isObject() {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(object))
	for _, _ = d.ReadToken(); d.PeekKind() == jsontext.KindString; {
		key, err := d.ReadToken()
		if err != nil {
			return nil
		}
		found := key.String() == name
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		if found {
			return raw(value)
		}
	}
	return nil
}

// sameValue tells whether a header's decoded value is what stands in the body.
// Numbers count by value, all else by its characters.
func sameValue(header string, arg raw) bool {
	switch {
	case arg.isString():
		return header == arg.text()
	case arg.isNumber():
		a, okA := parseDecimal(header)
		b, okB := parseDecimal(string(arg))
		return okA && okB && a == b
	}
	return header == string(arg) && (header == "true" || header == "false")
}

// A decimal is a number in a form of which each number has one only:
// digits times ten to the power of exponent, where digits neither begin nor end
// with a zero. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int64
}

// parseDecimal reads a number by JSON's grammar.
func parseDecimal(s string) (decimal, bool) {
	if strings.TrimSpace(s) != s || !raw(s).isNumber() || !jsontext.Value(s).IsValid() {
		return decimal{}, false
	}
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.ParseInt(strings.TrimPrefix(s[i+1:], "+"), 10, 32)
		if err != nil {
			return decimal{}, false
		}
		s, d.exponent = s[:i], e
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := whole + fraction
	d.exponent -= int64(len(fraction))
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += int64(len(digits) - len(d.digits))
	d.digits = strings.TrimLeft(d.digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

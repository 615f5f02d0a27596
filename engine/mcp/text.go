package mcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// raw is a JSON value as it was written.
type raw []byte

func (r raw) isString() bool { return len(r) > 0 && r[0] == '"' }
func (r raw) isObject() bool { return len(r) > 0 && r[0] == '{' }
func (r raw) isNull() bool   { return len(r) > 0 && r[0] == 'n' }
func (r raw) isNumber() bool { return len(r) > 0 && (r[0] == '-' || r[0] >= '0' && r[0] <= '9') }

// isInteger tells whether r is a number without fraction and exponent.
func (r raw) isInteger() bool { return r.isNumber() && !bytes.ContainsAny(r, ".eE") }

// isID tells whether r can name a request.
func (r raw) isID() bool { return r.isString() || r.isInteger() }

// text decodes a string. It is empty where r is none.
func (r raw) text() string {
	if !r.isString() {
		return ""
	}
	if bytes.IndexByte(r, '\\') < 0 {
		return string(r[1 : len(r)-1])
	}
	decoded, _ := jsontext.AppendUnquote(nil, []byte(r))
	return string(decoded)
}

// appendText appends s as a JSON string. What is not UTF-8 in it becomes
// U+FFFD: nothing else may reach the wire.
func appendText[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendJSON appends a JSON value, on one line: both transports frame messages
// by line ends, and a value may hold some between its tokens. What is not JSON
// becomes null, so that the message around it can be read.
func appendJSON(dst, value []byte) []byte {
	if bytes.IndexByte(value, '\n') < 0 && bytes.IndexByte(value, '\r') < 0 {
		return append(dst, value...)
	}
	compact := jsontext.Value(bytes.Clone(value))
	if err := compact.Compact(); err != nil {
		return append(dst, "null"...)
	}
	return append(dst, compact...)
}

// maxQuoted bounds, in bytes, what an answer or a log line repeats of a request.
const maxQuoted = 128

// clip shortens what a client sent to what is fit to be repeated.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	end := maxQuoted
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

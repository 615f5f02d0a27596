package mcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// appendText appends s as a JSON string. What is not UTF-8 in it becomes
// U+FFFD: nothing else may reach the wire.
func appendText[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendJSON appends a JSON value, on one line: both transports frame messages
// by line ends, and a value may hold some between its tokens.
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

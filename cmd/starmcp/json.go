package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// printJSON prints a value as indented JSON, with < and > as they are.
func printJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// printRaw prints a JSON text indented, with its order and its digits.
func printRaw(w io.Writer, text []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// compactJSON returns a value as JSON on one line. It is for values of our own
// making, which can be encoded.
func compactJSON(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

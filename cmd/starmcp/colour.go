package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A palette colours words, or leaves them alone. No meaning rests on colour.
type palette bool

// paletteFor returns colours for a terminal, unless NO_COLOR is set to
// something or the terminal knows none.
func paletteFor(w io.Writer) palette {
	f, ok := w.(*os.File)
	return palette(ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())))
}

func (p palette) green(s string) string  { return p.paint("32", s) }
func (p palette) red(s string) string    { return p.paint("31", s) }
func (p palette) yellow(s string) string { return p.paint("33", s) }

func (p palette) paint(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

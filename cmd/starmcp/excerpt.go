package main

import (
	"strings"
	"unicode"
)

// excerptWidth bounds how much of a long line is shown, in runes.
const excerptWidth = 100

// excerpt returns the part of a source line around a column, which counts runes
// from 1, and a line with a caret below that column. Column 0 has no caret.
func excerpt(source string, col int) (line, caret string) {
	runes := []rune(strings.TrimRight(source, "\r\n"))
	if from := col - 1 - excerptWidth/2; len(runes) > excerptWidth && from > 0 {
		from = min(from, len(runes)-excerptWidth)
		runes, col = runes[from:], col-from
	}
	runes = runes[:min(len(runes), excerptWidth)]
	pad := make([]rune, 0, col)
	for i, c := range runes {
		if c != '\t' && !unicode.IsPrint(c) {
			runes[i] = unicode.ReplacementChar
		}
		if i < col-1 && c == '\t' {
			pad = append(pad, '\t')
		} else if i < col-1 {
			pad = append(pad, ' ')
		}
	}
	if col > 0 {
		caret = string(pad) + "^"
	}
	return string(runes), caret
}

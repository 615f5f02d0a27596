package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errLongLine says that a line had more than its bytes; the reader is past it.
var errLongLine = errors.New("the line is too long")

// A lineReader reads lines of any length up to a limit, whatever the pieces in
// which they come.
type lineReader struct {
	src *bufio.Reader
	max int // bytes of a line, without its end
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{src: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line that is not blank, without its end, LF or CRLF, and
// without a byte order mark: streams that were joined have one amid their lines.
// The bytes are the caller's. Input that ends without a line end still ends a
// line; after it comes io.EOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.read()
		if line = bytes.Trim(withoutMark(line), " \t\r\n"); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// read returns one line. With io.EOF there is none; any other error of the
// input ends it as well.
func (l *lineReader) read() ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := l.src.ReadSlice('\n')
		if !long {
			line = append(line, piece...)
		}
		if len(bytes.TrimRight(line, "\r\n")) > l.max {
			line, long = nil, true
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, errLongLine
		case err != nil && len(line) == 0:
			return nil, io.EOF
		}
		return line, nil
	}
}

package mcp

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNesting is how deep arrays and objects of a message may be nested.
const maxNesting = 100

var (
	errBatch    = errors.New("batches are not served: send one message at a time")
	errNoObject = errors.New("a message is a JSON object")
	errMore     = errors.New("only one JSON value is expected")
	errTooDeep  = errors.New("nested deeper than " + strconv.Itoa(maxNesting) + " levels")
)

// refusal tells a client why its bytes cannot be read as a message.
func refusal(body []byte, err error) *rpcError {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errBatch), errors.Is(err, errNoObject):
		return invalidRequest("Invalid request: " + err.Error())
	case errors.Is(err, errTooDeep), tooDeep(body):
		return invalidRequest("Invalid request: " + errTooDeep.Error())
	case errors.Is(err, errMore):
		return parseError("Parse error: " + err.Error())
	case errors.Is(err, io.EOF):
		return parseError("Parse error: the message is empty")
	case errors.Is(err, jsontext.ErrDuplicateName):
		errors.As(err, &syntax)
		return invalidRequest("Invalid request: the name " + strconv.Quote(clip(syntax.JSONPointer.LastToken())) + " comes twice in an object")
	case errors.As(err, &syntax):
		return parseError("Parse error: " + reason(syntax.Err) + " after byte " + strconv.FormatInt(syntax.ByteOffset, 10))
	}
	return parseError("Parse error: not JSON")
}

// reason is what the reader has to say, without the text around the place.
func reason(err error) string {
	if strings.Contains(err.Error(), "surrogate") {
		return "half of a surrogate pair"
	}
	return clip(err.Error())
}

// tooDeep tells whether arrays and objects are nested deeper than maxNesting.
func tooDeep(body []byte) bool {
	if bytes.Count(body, []byte{'{'})+bytes.Count(body, []byte{'['}) <= maxNesting {
		return false
	}
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted:
			if c == '\\' {
				i++
			}
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// salvageID finds the id of a message that is refused for something else, so
// that its sender does not wait for ever. It is nil where the bytes are not
// JSON, or where it is not clear which id was meant.
func salvageID(body []byte) raw {
	d := decoder{src: *bytes.NewBuffer(body)}
	d.json.Reset(&d.src, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.json.PeekKind() != jsontext.KindBeginObject {
		return nil
	}
	m := message{body: body}
	var ids, answers int
	err := d.object(&m, func(m *message, d *decoder, name []byte) error {
		switch string(name) {
		case "id":
			ids++
			return d.value(m, &m.id)
		case "result", "error":
			answers++
		}
		return d.json.SkipValue()
	})
	if _, end := d.json.ReadToken(); err != nil || end != io.EOF || ids != 1 || answers > 0 || !m.id.isID() {
		return nil
	}
	if !validID(m.id) {
		return nil
	}
	return slices.Clone(m.id)
}

// validID tells whether an id can be echoed: it may not carry invalid UTF-8.
func validID(id raw) bool {
	_, err := jsontext.AppendUnquote(nil, []byte(id))
	return !id.isString() || err == nil
}

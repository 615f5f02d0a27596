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

// A message is one JSON-RPC message as it was read. The raw values are parts of
// the bytes it was read from, nil where a member was absent; what their types
// should be is for those who use them to check.
type message struct {
	body     []byte
	id       raw
	method   string
	response bool // has a result or an error

	jsonrpc, methodName raw

	params          raw // only its kind counts where it is an object
	name            raw
	arguments       raw
	cursor          raw
	protocolVersion raw
	clientInfo      clientInfo
	requestID       raw

	meta meta
}

// meta is the _meta of a request's params.
// Source: docs/specification/2026-07-28/basic/index, "_meta".
type meta struct {
	whole           raw
	protocolVersion raw
	capabilities    raw
	progressToken   raw
	logLevel        raw
	clientInfo      clientInfo
}

// clientInfo is what a client says of itself.
type clientInfo struct {
	whole, name, version raw
}

// notification tells whether the message wants no answer.
func (m *message) notification() bool { return m.id == nil }

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

// A decoder reads messages. It is used again and again, but by one goroutine at
// a time.
type decoder struct {
	src  bytes.Buffer
	json jsontext.Decoder
}

var byteOrderMark = []byte("\ufeff")

// decode reads a message in one pass. Names count to the letter, and a name
// that comes twice, invalid UTF-8 and deep nesting are refused, so that nobody
// before or behind this server can read the same bytes in another way. With an
// error, m.id is set where an answer can still be addressed.
func (d *decoder) decode(body []byte, m *message) *rpcError {
	body = bytes.TrimPrefix(body, byteOrderMark)
	*m = message{body: body}
	d.src = *bytes.NewBuffer(body)
	d.json.Reset(&d.src)
	err := d.message(m)
	if err == nil && tooDeep(body) {
		err = errTooDeep
	}
	if err != nil {
		*m = message{body: body, id: salvageID(body)}
		return refusal(body, err)
	}
	return m.check()
}

var (
	errBatch    = errors.New("batches are not served: send one message at a time")
	errNoObject = errors.New("a message is a JSON object")
	errMore     = errors.New("only one JSON value is expected")
	errTooDeep  = errors.New("nested deeper than " + strconv.Itoa(maxNesting) + " levels")
)

// message reads the members of the message, and that nothing follows it.
func (d *decoder) message(m *message) error {
	if kind := d.json.PeekKind(); kind != jsontext.KindBeginObject {
		if err := d.json.SkipValue(); err != nil {
			return err
		}
		if kind == jsontext.KindBeginArray {
			return errBatch
		}
		return errNoObject
	}
	if err := d.object(m, (*message).member); err != nil {
		return err
	}
	switch _, err := d.json.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errMore
	default:
		return err
	}
}

// object reads an object; visit gets each name and reads the value after it.
func (d *decoder) object(m *message, visit func(m *message, d *decoder, name []byte) error) error {
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	for d.json.PeekKind() != jsontext.KindEndObject {
		name, err := d.json.ReadValue()
		if err != nil {
			return err
		}
		plain := name[1 : len(name)-1]
		if bytes.IndexByte(plain, '\\') >= 0 {
			plain, _ = jsontext.AppendUnquote(nil, name)
		}
		if err := visit(m, d, plain); err != nil {
			return err
		}
	}
	_, err := d.json.ReadToken()
	return err
}

// value reads any value and keeps it.
func (d *decoder) value(m *message, into *raw) error {
	v, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	end := int(d.json.InputOffset())
	*into = raw(m.body[end-len(v) : end : end])
	return nil
}

// within reads a value into whole and, if it is an object, lets visit have its members.
func (d *decoder) within(m *message, whole *raw, visit func(*message, *decoder, []byte) error) error {
	if d.json.PeekKind() != jsontext.KindBeginObject {
		return d.value(m, whole)
	}
	start := int(d.json.InputOffset())
	start += bytes.IndexByte(m.body[start:], '{')
	if err := d.object(m, visit); err != nil {
		return err
	}
	end := int(d.json.InputOffset())
	*whole = raw(m.body[start:end:end])
	return nil
}

func (m *message) member(d *decoder, name []byte) error {
	switch string(name) {
	case "jsonrpc":
		return d.value(m, &m.jsonrpc)
	case "id":
		return d.value(m, &m.id)
	case "method":
		return d.value(m, &m.methodName)
	case "params":
		return d.within(m, &m.params, (*message).param)
	case "result", "error":
		m.response = true
	}
	return d.json.SkipValue()
}

func (m *message) param(d *decoder, name []byte) error {
	switch string(name) {
	case "_meta":
		return d.within(m, &m.meta.whole, (*message).metaField)
	case "name":
		return d.value(m, &m.name)
	case "arguments":
		return d.value(m, &m.arguments)
	case "cursor":
		return d.value(m, &m.cursor)
	case "protocolVersion":
		return d.value(m, &m.protocolVersion)
	case "clientInfo":
		return d.within(m, &m.clientInfo.whole, (*message).clientField)
	case "requestId":
		return d.value(m, &m.requestID)
	}
	return d.json.SkipValue()
}

// Names of fields in _meta that MCP reserves.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaProgress     = "progressToken"
)

func (m *message) metaField(d *decoder, name []byte) error {
	switch string(name) {
	case metaVersion:
		return d.value(m, &m.meta.protocolVersion)
	case metaCapabilities:
		return d.value(m, &m.meta.capabilities)
	case metaClientInfo:
		return d.within(m, &m.meta.clientInfo.whole, (*message).metaClientField)
	case metaLogLevel:
		return d.value(m, &m.meta.logLevel)
	case metaProgress:
		return d.value(m, &m.meta.progressToken)
	}
	return d.json.SkipValue()
}

func (m *message) clientField(d *decoder, name []byte) error {
	return m.clientInfo.field(m, d, name)
}

func (m *message) metaClientField(d *decoder, name []byte) error {
	return m.meta.clientInfo.field(m, d, name)
}

func (c *clientInfo) field(m *message, d *decoder, name []byte) error {
	switch string(name) {
	case "name":
		return d.value(m, &c.name)
	case "version":
		return d.value(m, &c.version)
	}
	return d.json.SkipValue()
}

// check tells whether the message is one that a client may send.
func (m *message) check() *rpcError {
	if m.response {
		m.id = nil
		return invalidRequest("Invalid request: this server sends no requests, so it takes no responses")
	}
	if m.id != nil && !m.id.isID() {
		m.id = nil
		return invalidRequest("Invalid request: id must be a string or an integer")
	}
	if string(m.jsonrpc) != `"2.0"` && m.jsonrpc.text() != "2.0" {
		return invalidRequest(`Invalid request: jsonrpc must be "2.0"`)
	}
	if !m.methodName.isString() {
		return invalidRequest("Invalid request: method must be a string")
	}
	m.method = methodText(m.methodName)
	return nil
}

// methodText decodes a method's name; the usual ones cost no memory.
func methodText(name raw) string {
	switch string(name) {
	case `"tools/call"`:
		return "tools/call"
	case `"tools/list"`:
		return "tools/list"
	}
	return name.text()
}

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

package mcp

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder reads messages. It is used again and again, but by one goroutine at
// a time.
type decoder struct {
	src  bytes.Buffer
	json jsontext.Decoder
}

var byteOrderMark = []byte("\ufeff")

// withoutMark returns a text without the mark that some editors and programs
// begin it with. What is blank, or a message, is judged without it.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, byteOrderMark) }

// decode reads a message in one pass. Names count to the letter, and a name
// that comes twice, invalid UTF-8 and deep nesting are refused, so that nobody
// before or behind this server can read the same bytes in another way. With an
// error, m.id is set where an answer can still be addressed.
func (d *decoder) decode(body []byte, m *message) *rpcError {
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

package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A SyntaxError says that a text is no JSON.
type SyntaxError struct {
	Offset  int    // in bytes, at or shortly before the fault
	Message string // what is wrong; it quotes at most a name or a character
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Message)
}

// Parse reads one JSON value, which must be the whole text.
//
// It is strict: invalid UTF-8, an escaped surrogate without its other half and
// a name that occurs twice in an object are errors, so that no two readers of
// one document can differ and no string in a tree is invalid UTF-8. Errors are
// [*CapError] and [*SyntaxError].
//
// Strings and numbers share one copy of the text; none of text itself is kept.
func Parse(text []byte, caps Caps) (Node, error) {
	if caps.Bytes > 0 && len(text) > caps.Bytes {
		return Node{}, &CapError{Cap: "bytes", Limit: caps.Bytes, Offset: caps.Bytes}
	}
	p := parsers.Get().(*parser)
	defer p.release()
	p.start(text, caps)
	n, err := p.document()
	if err != nil {
		return Node{}, err
	}
	return n, nil
}

var parsers = sync.Pool{New: func() any {
	p := new(parser)
	p.decoder = jsontext.NewDecoder(&p.buffer)
	return p
}}

// A parser reads one document after another. Members wait on stacks until
// their container ends, so that each container's slices are made once and in
// the right size.
type parser struct {
	decoder *jsontext.Decoder
	buffer  bytes.Buffer // what the decoder reads; it holds text
	text    []byte
	shared  string // the same as text; what the tree's strings are parts of
	caps    Caps
	pos     int // where the last token ended
	nodes   int
	items   []Node
	names   []string
}

func (p *parser) start(text []byte, caps Caps) {
	p.text, p.shared, p.caps = text, string(text), caps
	p.pos, p.nodes = 0, 0
	p.buffer = *bytes.NewBuffer(text)
	p.decoder.Reset(&p.buffer)
}

// release makes the parser ready for another document, and forgets this one.
func (p *parser) release() {
	const keep = 1 << 10 // a large document's stacks are not worth keeping
	if cap(p.items) > keep {
		p.items, p.names = nil, nil
	}
	clear(p.items) // what an error left
	clear(p.names)
	p.items, p.names = p.items[:0], p.names[:0]
	p.text, p.shared = nil, ""
	p.buffer = bytes.Buffer{}
	p.decoder.Reset(&p.buffer)
	parsers.Put(p)
}

func (p *parser) document() (Node, error) {
	kind, raw, err := p.next()
	if err != nil {
		return Node{}, err
	}
	n, err := p.value(kind, raw, 1)
	if err != nil {
		return Node{}, err
	}
	_, raw, err = p.next()
	switch {
	case err == errEnd:
		return n, nil
	case err != nil:
		return Node{}, err
	}
	return Node{}, &SyntaxError{Offset: p.pos - len(raw), Message: "there is more after the value"}
}

var errEnd = &SyntaxError{Message: "the text is empty"}

// next reads a token and returns it as it was written.
func (p *parser) next() (jsontext.Kind, []byte, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return 0, nil, syntaxError(err)
	}
	start := p.pos
	p.pos = int(p.decoder.InputOffset())
	for isBetween(p.text[start]) {
		start++
	}
	return token.Kind(), p.text[start:p.pos], nil
}

// isBetween tells whether c separates tokens.
func isBetween(c byte) bool {
	return c == ' ' || c == ',' || c == ':' || c == '\n' || c == '\r' || c == '\t'
}

// value makes a node of the token just read and of what belongs to it.
func (p *parser) value(kind jsontext.Kind, raw []byte, depth int) (Node, error) {
	p.nodes++
	if p.caps.Nodes > 0 && p.nodes > p.caps.Nodes {
		return Node{}, p.over("nodes", p.caps.Nodes)
	}
	switch kind {
	case 'n':
		return Node{Kind: Null}, nil
	case 'f':
		return Node{Kind: False}, nil
	case 't':
		return Node{Kind: True}, nil
	case '0':
		if over := p.caps.checkNumber(raw); over != nil {
			over.Offset = p.pos - len(raw)
			return Node{}, over
		}
		return Node{Kind: Number, Text: p.shared[p.pos-len(raw) : p.pos]}, nil
	case '"':
		text, err := p.unquote(raw)
		return Node{Kind: String, Text: text}, err
	}
	if p.caps.Depth > 0 && depth > p.caps.Depth {
		return Node{}, p.over("depth", p.caps.Depth)
	}
	if kind == '[' {
		return p.array(depth)
	}
	return p.object(depth)
}

func (p *parser) over(name string, limit int) error {
	return &CapError{Cap: name, Limit: limit, Offset: p.pos}
}

func (p *parser) unquote(raw []byte) (string, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return p.shared[p.pos-len(raw)+1 : p.pos-1], nil
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", &SyntaxError{Offset: p.pos - len(raw), Message: message(err)}
	}
	return string(text), nil
}

func (p *parser) array(depth int) (Node, error) {
	base := len(p.items)
	for {
		kind, raw, err := p.next()
		if err != nil {
			return Node{}, err
		}
		if kind == ']' {
			return Node{Kind: Array, Items: take(&p.items, base)}, nil
		}
		item, err := p.value(kind, raw, depth+1)
		if err != nil {
			return Node{}, err
		}
		p.items = append(p.items, item)
	}
}

func (p *parser) object(depth int) (Node, error) {
	base, nameBase := len(p.items), len(p.names)
	for {
		kind, raw, err := p.next()
		if err != nil {
			return Node{}, err
		}
		if kind == '}' {
			return Node{Kind: Object, Names: take(&p.names, nameBase), Items: take(&p.items, base)}, nil
		}
		if p.caps.Keys > 0 && len(p.names)-nameBase == p.caps.Keys {
			return Node{}, p.over("keys", p.caps.Keys)
		}
		name, err := p.unquote(raw)
		if err != nil {
			return Node{}, err
		}
		if kind, raw, err = p.next(); err != nil {
			return Node{}, err
		}
		item, err := p.value(kind, raw, depth+1)
		if err != nil {
			return Node{}, err
		}
		p.names = append(p.names, name)
		p.items = append(p.items, item)
	}
}

// take removes what lies on a stack above base, and returns it.
func take[T any](stack *[]T, base int) []T {
	top := (*stack)[base:]
	if len(top) == 0 {
		return nil
	}
	taken := make([]T, len(top))
	copy(taken, top)
	clear(top)
	*stack = (*stack)[:base]
	return taken
}

func syntaxError(err error) error {
	if err == io.EOF {
		return errEnd
	}
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) {
		return &SyntaxError{Message: message(err)}
	}
	e := &SyntaxError{Offset: int(syntactic.ByteOffset), Message: message(syntactic.Err)}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		e.Message = fmt.Sprintf("the name %q occurs twice in one object", syntactic.JSONPointer.LastToken())
	}
	return e
}

// message says what is wrong. What jsontext quotes of the text beyond one
// character, between backquotes, is left out: it may be part of a secret.
func message(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the text ends too early"
	}
	text := strings.TrimPrefix(err.Error(), "jsontext: ")
	if before, quoted, ok := strings.Cut(text, "`"); ok {
		text = before + strings.TrimSpace(quoted[strings.LastIndexByte(quoted, '`')+1:])
	}
	return text
}

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// A Service answers requests from one immutable set of tools: a [*Table] in
// this process, or something that stands before one. It is safe for any number
// of goroutines.
type Service interface {
	// Catalogue is what can be listed by a caller of whom nothing is known.
	Catalogue() *Catalogue
	// Do answers one request. It returns when ctx ends, too, whose cause may be
	// [ErrStopping].
	Do(ctx context.Context, req Request) Outcome
}

// Kind says what is asked of a [Service].
type Kind uint8

const (
	List Kind = iota // which tools may this caller see
	Call             // call one tool
)

// Era is the generation of the protocol that a client speaks.
type Era uint8

const (
	Modern Era = iota // 2026-07-28 and later: every request stands alone
	Legacy            // an initialize handshake, up to 2025-11-25
)

func (e Era) String() string {
	if e == Legacy {
		return "legacy"
	}
	return "modern"
}

// A Request is what a transport knows of one request, as plain data.
type Request struct {
	Kind      Kind
	Tool      string          // for Call
	Arguments json.RawMessage // for Call: any JSON text; nil or null means {}

	// Refusal is what the transport found wrong with a call that only someone
	// who may see the tool should be told (headers that contradict the
	// arguments). A visible tool's call is then answered Refused, with this as
	// the message, and does not run.
	Refusal string

	Header map[string][]string // of the HTTP request; nil on stdio
	Remote string              // address of the peer; empty on stdio
	Meta   json.RawMessage     // the request's _meta; nil for legacy clients
	Era    Era
	Client Client
}

// Client is what a client says of itself. It proves nothing.
type Client struct {
	Name    string
	Version string
}

// Status says how far a request came.
type Status uint8

const (
	OK           Status = iota // there is a result, perhaps one with IsError
	Unauthorized               // not let in
	Unknown                    // no such tool for this caller
	Refused                    // malformed; Message says how
	Fault                      // the tool's author, or starmcp, is at fault
)

// Reason tells what kind of malformed request was refused.
type Reason uint8

const (
	NotAnObject   Reason = iota // arguments are JSON, but no object
	HeadersDiffer               // headers contradict the arguments: Request.Refusal
)

// An Outcome is the answer to a [Request], before it has a shape on the wire.
type Outcome struct {
	Status    Status
	Catalogue *Catalogue // for List

	// A call's result: content blocks, or a structured value with a summary.
	Content    []Block
	Structured json.RawMessage // nil: none
	Summary    string          // one line for clients that read Structured
	Notes      []string        // further text blocks, about how the call was read
	IsError    bool

	Reason    Reason // for Refused
	Message   string // for Refused: what is wrong, for the client
	Class     string // what kind of failure, such as EvalError or StepLimit; empty: none
	Reference string // for Fault: finds the log entry that tells more

	// For the log alone, never for a client.
	Log    []slog.Attr
	Detail string // several lines: message, backtrace, Go stack
}

// A Block is one content block, encoded.
type Block struct {
	Type string          // "text", "image", "audio", "resource", "resource_link"
	JSON json.RawMessage // the whole block as a JSON object
}

// Identity is what a server says of itself.
type Identity struct {
	Name         string
	Title        string
	Version      string
	Instructions string
}

// A Catalogue is a list of tools as some caller may see it. It never changes.
type Catalogue struct {
	Identity Identity
	Tools    []*Descriptor // sorted by name
	Private  bool          // differs from caller to caller
	Digest   string        // names the content: equal digests, equal catalogues
}

// A Descriptor is a tool as clients see it, with its schemas encoded once.
type Descriptor struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage // nil: none
	ObjectOutput bool            // OutputSchema's type is exactly "object"
	Annotations  json.RawMessage // nil: none
	Icons        json.RawMessage // nil: none
	Meta         json.RawMessage // nil: none
	Headers      []HeaderParam   // arguments that clients repeat as headers
}

// A HeaderParam is an argument that travels in an Mcp-Param header as well.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http.
type HeaderParam struct {
	Header string   // what follows "Mcp-Param-"
	Path   []string // property names from the root of the arguments
	Type   string   // "string", "integer" or "boolean"
}

// hash writes what clients see of a tool, so that the same is written for the
// same alone. Headers and ObjectOutput follow from the schemas.
func (d *Descriptor) hash(w io.Writer) {
	hashFields(w, d.Name, d.Title, d.Description, string(d.InputSchema), string(d.OutputSchema),
		string(d.Annotations), string(d.Icons), string(d.Meta))
}

func (id Identity) hash(w io.Writer) {
	hashFields(w, id.Name, id.Title, id.Version, id.Instructions)
}

func hashFields(w io.Writer, fields ...string) {
	for _, f := range fields {
		fmt.Fprintf(w, "%d:%s", len(f), f)
	}
}

// Find returns the descriptor of the named tool, or nil.
func (c *Catalogue) Find(name string) *Descriptor {
	lo, hi := 0, len(c.Tools)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.Tools[mid].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.Tools) && c.Tools[lo].Name == name {
		return c.Tools[lo]
	}
	return nil
}

package mcp

import (
	"context"
	"net/http"

	"github.com/starmcp/starmcp/engine"
)

// A method is what a client may ask for, in the revisions from first to last.
type method struct {
	name        string
	first, last revision
	do          func(*Server, context.Context, *exchange) *rpcError
}

var methods = []method{
	{"tools/call", v20241105, newest, (*Server).callTool},
	{"tools/list", v20241105, newest, (*Server).listTools},
	{"server/discover", v20260728, newest, (*Server).discover},
	{"initialize", v20241105, newestLegacy, (*Server).initialize},
	{"ping", v20241105, newestLegacy, (*Server).ping},
}

// perform does what the request asks for and makes the reply, or tells why not.
func (s *Server) perform(ctx context.Context, x *exchange) *rpcError {
	for i := range methods {
		if m := &methods[i]; m.name == x.msg.method && x.rev >= m.first && x.rev <= m.last {
			return m.do(s, ctx, x)
		}
	}
	return methodNotFound(x.msg.method)
}

// methodNotFound says that there is no such method, or who has it.
func methodNotFound(name string) *rpcError {
	message := "Method not found: " + clip(name)
	for i := range methods {
		switch m := &methods[i]; {
		case m.name != name:
		case m.first.modern():
			message += " is for clients that send the _meta of " + m.first.String() + " with each request"
		default:
			message += " is for clients that begin with initialize, and send no protocolVersion in _meta"
		}
	}
	return &rpcError{status: http.StatusNotFound, code: codeMethodNotFound, message: message}
}

// request is what the service gets to know of every request.
func (x *exchange) request(kind engine.Kind) engine.Request {
	req := engine.Request{
		Kind:   kind,
		Header: x.header,
		Remote: x.remote,
		Era:    x.rev.era(),
		Client: x.client,
	}
	if x.rev.modern() {
		req.Meta = []byte(x.msg.meta.whole)
		req.Client = x.msg.meta.clientInfo.client()
	}
	return req
}

// discover tells what the server is and speaks.
// Source: docs/specification/2026-07-28/server/discover.
func (s *Server) discover(_ context.Context, x *exchange) *rpcError {
	x.beginResult()
	x.head = append(x.head, `{"resultType":"complete","supportedVersions":`...)
	x.head = append(append(x.head, supportedVersions...), `,"capabilities":`...)
	x.head = append(x.head, capabilities...)
	x.head = appendInstructions(x.head, &x.edition.identity)
	x.head = append(append(x.head, ','), x.edition.caching...)
	x.head = append(append(x.head, ','), x.edition.meta...)
	x.head = append(x.head, `}}`...)
	return nil
}

// capabilities are the server's, for either era.
const capabilities = `{"tools":{}}`

func appendInstructions(dst []byte, id *engine.Identity) []byte {
	if id.Instructions == "" {
		return dst
	}
	return appendText(append(dst, `,"instructions":`...), id.Instructions)
}

// initialize agrees on a revision with a client that begins with a handshake.
// Source: docs/specification/2025-11-25/basic/lifecycle.
func (s *Server) initialize(_ context.Context, x *exchange) *rpcError {
	if !x.msg.protocolVersion.isString() {
		return invalidParams("Invalid params: params.protocolVersion must be a string such as " + newestLegacy.String())
	}
	rev, ok := parseRevision(x.msg.protocolVersion.text())
	if !ok || rev.modern() {
		rev = newestLegacy
	}
	x.rev, x.agreed = rev, rev
	if x.msg.clientInfo.valid() {
		x.client = x.msg.clientInfo.client()
	}
	id := &x.edition.identity
	x.beginResult()
	x.head = append(x.head, `{"protocolVersion":`...)
	x.head = append(appendText(x.head, rev.String()), `,"capabilities":`+capabilities+`,"serverInfo":`...)
	x.head = appendIdentity(x.head, id, rev)
	x.head = append(appendInstructions(x.head, id), `}}`...)
	return nil
}

// appendIdentity writes a server's name and version as an Implementation.
func appendIdentity(dst []byte, id *engine.Identity, rev revision) []byte {
	dst = appendText(append(dst, `{"name":`...), id.Name)
	if id.Title != "" && rev >= v20250618 {
		dst = appendText(append(dst, `,"title":`...), id.Title)
	}
	return append(appendText(append(dst, `,"version":`...), id.Version), '}')
}

func (s *Server) ping(_ context.Context, x *exchange) *rpcError {
	x.beginResult()
	x.head = append(x.head, `{}}`...)
	return nil
}

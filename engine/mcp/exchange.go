package mcp

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/starmcp/starmcp/engine"
)

// An exchange is one request on its way to its reply, whatever carries it.
type exchange struct {
	decoder decoder
	msg     message

	// What the transport adds. agreed is the revision that applies where the
	// message names none, client who it is that cannot say so in each message.
	header http.Header // nil: nothing like it, as on stdio
	remote string
	agreed revision
	client engine.Client

	rev     revision
	service engine.Service // answers to the end, whatever is loaded meanwhile
	edition *edition

	reply
}

// A reply is an answer in up to three parts, none of which holds a line end.
type reply struct {
	unwanted bool // the request was cancelled: there is none, and none is sent

	status int    // of an HTTP answer
	head   []byte // the exchange's own
	body   []byte // shared with other replies: read only
	tail   []byte // the exchange's own
}

func (r *reply) size() int { return len(r.head) + len(r.body) + len(r.tail) }

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange() *exchange { return exchanges.Get().(*exchange) }

// maxKept bounds the buffers that are kept for later exchanges.
const maxKept = 64 << 10

// release gives the exchange back. Nothing of it may be used afterwards.
func (x *exchange) release() {
	if cap(x.head) > maxKept || len(x.msg.body) > maxKept {
		return
	}
	x.msg = message{}
	x.header, x.remote, x.agreed, x.client = nil, "", 0, engine.Client{}
	x.rev, x.service, x.edition = 0, nil, nil
	x.reply = reply{head: x.head[:0], tail: x.tail[:0]}
	exchanges.Put(x)
}

// answer makes the reply to the request in x.msg.
func (s *Server) answer(ctx context.Context, x *exchange) {
	x.service = s.current()
	x.edition = s.editionOf(x.service.Catalogue())
	err := x.settleRevision()
	if err == nil {
		err = x.checkParams()
	}
	if err == nil && x.header != nil && x.rev.modern() {
		err = x.checkHeaders()
	}
	if err == nil {
		err = s.perform(ctx, x)
	}
	if err != nil {
		x.fail(err)
		s.logRefusal(ctx, x, err)
	}
}

// begin starts the reply up to its result or error.
func (x *exchange) begin() {
	x.status = http.StatusOK
	x.body, x.tail = nil, x.tail[:0]
	x.head = append(x.head[:0], `{"jsonrpc":"2.0",`...)
	if x.msg.id != nil {
		x.head = append(append(x.head, `"id":`...), x.msg.id...)
		x.head = append(x.head, ',')
	}
}

// beginResult starts the reply up to the value of its result.
func (x *exchange) beginResult() {
	x.begin()
	x.head = append(x.head, `"result":`...)
}

// fail makes the whole reply out of an error.
func (x *exchange) fail(err *rpcError) {
	x.begin()
	x.head = append(err.append(x.head), '}')
	x.status = err.statusFor(x.rev)
}

// settleRevision finds the revision that the request is of. What names none is
// of the era with a handshake.
// Source: docs/specification/2026-07-28/basic/versioning.
func (x *exchange) settleRevision() *rpcError {
	stated := x.header[headerVersion]
	x.rev = newest // and errors go out as this one has them
	switch {
	case len(stated) > 1:
		return headerMismatch("MCP-Protocol-Version is there " + times(len(stated)) + ": send it once")
	case x.msg.meta.protocolVersion != nil:
		return x.checkStated(stated)
	case len(stated) == 0:
		x.rev = x.agreed
	case slices.Contains(revisionNames[:], stated[0]):
		x.rev, _ = parseRevision(stated[0])
	case x.msg.method == "initialize":
		x.rev = newestLegacy
	default:
		return unsupportedVersion(stated[0])
	}
	return nil
}

// checkStated judges the revision that a request's _meta names, which is not
// one of those that begin with a handshake.
func (x *exchange) checkStated(header []string) *rpcError {
	if !x.msg.meta.protocolVersion.isString() {
		return invalidMeta(metaVersion, "must be a string such as "+newest.String())
	}
	version := revisionText(x.msg.meta.protocolVersion)
	if len(header) > 0 && header[0] != version {
		return headerMismatch(differs("MCP-Protocol-Version", header[0], quote(version)))
	}
	rev, ok := parseRevision(version)
	if !ok || !rev.modern() {
		return unsupportedVersion(version)
	}
	x.rev = rev
	return nil
}

// checkParams tells whether what every request has in its params is right.
func (x *exchange) checkParams() *rpcError {
	m := &x.msg
	if m.params != nil && !m.params.isObject() && !m.params.isNull() {
		return invalidParams("Invalid params: params must be an object")
	}
	if m.meta.whole != nil && !m.meta.whole.isObject() {
		return invalidParams("Invalid params: params._meta must be an object")
	}
	if t := m.meta.progressToken; t != nil && !t.isID() {
		return invalidMeta(metaProgress, "must be a string or an integer")
	}
	if x.rev.modern() {
		return m.meta.check()
	}
	return nil
}

// check tells whether the fields are there that a request has to carry when no
// handshake came before it.
func (m *meta) check() *rpcError {
	switch {
	case m.protocolVersion == nil:
		return invalidMeta(metaVersion, "is missing: each request names the revision that it is of")
	case m.capabilities == nil:
		return invalidMeta(metaCapabilities, "is missing: send {} where there are none")
	case !m.capabilities.isObject():
		return invalidMeta(metaCapabilities, "must be an object")
	case m.clientInfo.whole != nil && !m.clientInfo.valid():
		return invalidMeta(metaClientInfo, "must be an object with the strings name and version")
	case m.logLevel != nil && !slices.Contains(logLevels, m.logLevel.text()):
		return invalidMeta(metaLogLevel, "must be one of debug, info, notice, warning, error, critical, alert, emergency")
	}
	return nil
}

var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func invalidMeta(field, what string) *rpcError {
	return invalidParams(`Invalid params: _meta["` + field + `"] ` + what)
}

// valid tells whether the types are right; a name or a version that is missing
// does no harm, since nothing here depends on them.
func (c *clientInfo) valid() bool {
	return c.whole.isObject() && (c.name == nil || c.name.isString()) && (c.version == nil || c.version.isString())
}

func (c *clientInfo) client() engine.Client {
	return engine.Client{Name: c.name.text(), Version: c.version.text()}
}

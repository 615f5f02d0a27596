package mcp

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

// Names of fields in _meta that MCP reserves.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaProgress     = "progressToken"
)

// clientInfo is what a client says of itself.
type clientInfo struct {
	whole, name, version raw
}

// notification tells whether the message wants no answer.
func (m *message) notification() bool { return m.id == nil }

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

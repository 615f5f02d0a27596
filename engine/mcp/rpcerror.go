package mcp

import (
	"net/http"
	"strconv"
)

// Codes of JSON-RPC errors. Those from -32020 on are MCP's own.
// Source: docs/specification/2026-07-28/basic/index, "Error Codes".
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeHeaderMismatch     = -32020
	codeUnsupportedVersion = -32022
)

// An rpcError is a JSON-RPC error, and the HTTP status it travels with.
type rpcError struct {
	status  int
	code    int
	message string
	data    []byte // JSON; nil: none
}

func (e *rpcError) Error() string { return e.message }

// append writes the error as the member of a JSON-RPC answer.
func (e *rpcError) append(dst []byte) []byte {
	dst = append(dst, `"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.code), 10)
	dst = append(dst, `,"message":`...)
	dst = appendText(dst, e.message)
	if e.data != nil {
		dst = append(append(dst, `,"data":`...), e.data...)
	}
	return append(dst, '}')
}

// statusFor is the HTTP status for a client of the given revision. Older
// clients lose the code of an error that comes in any status but 200, and take
// 404 for the end of a session; so they get 200 for all that concerns a request
// that could be read, unless the transport itself is what is wrong.
func (e *rpcError) statusFor(r revision) int {
	if r.modern() || e.code == codeUnsupportedVersion {
		return e.status
	}
	switch e.status {
	case http.StatusBadRequest, http.StatusNotFound:
		return http.StatusOK
	}
	return e.status
}

func parseError(message string) *rpcError {
	return &rpcError{status: http.StatusBadRequest, code: codeParse, message: message}
}

func invalidRequest(message string) *rpcError {
	return &rpcError{status: http.StatusBadRequest, code: codeInvalidRequest, message: message}
}

func invalidParams(message string) *rpcError {
	return &rpcError{status: http.StatusBadRequest, code: codeInvalidParams, message: message}
}

func headerMismatch(message string) *rpcError {
	return &rpcError{status: http.StatusBadRequest, code: codeHeaderMismatch, message: "Header mismatch: " + message}
}

func unsupportedVersion(requested string) *rpcError {
	data := append([]byte(`{"supported":`), supportedVersions...)
	data = append(data, `,"requested":`...)
	data = append(appendText(data, clip(requested)), '}')
	return &rpcError{
		status:  http.StatusBadRequest,
		code:    codeUnsupportedVersion,
		message: "Unsupported protocol version: name " + newest.String() + " in each request, or begin with initialize for an older one",
		data:    data,
	}
}

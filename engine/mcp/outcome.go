package mcp

import (
	"net/http"
	"strconv"

	"github.com/starmcp/starmcp/builtins/spell"
	"github.com/starmcp/starmcp/engine"
)

// protocolError decides what an outcome becomes on the wire: a JSON-RPC error,
// or, where it returns nil, a result. Faults tell their class and a reference
// and nothing that a script had in hand. visible is what may be named to whoever
// asked for a tool that is not there.
func protocolError(o *engine.Outcome, req *engine.Request, visible *engine.Catalogue) *rpcError {
	switch o.Status {
	case engine.OK:
		return nil
	case engine.Unauthorized:
		return &rpcError{
			status:  http.StatusUnauthorized,
			code:    codeInvalidRequest,
			message: "Unauthorized: send a valid Authorization: Bearer header",
		}
	case engine.Unknown:
		return &rpcError{status: http.StatusOK, code: codeInvalidParams, message: unknownTool(req.Tool, visible)}
	case engine.Refused:
		if o.Reason == engine.HeadersDiffer {
			return headerMismatch(o.Message)
		}
		return invalidParams("Invalid params: " + o.Message)
	}
	data := appendText([]byte(`{"class":`), o.Class)
	data = append(appendText(append(data, `,"reference":`...), o.Reference), '}')
	return &rpcError{
		status:  http.StatusOK,
		code:    codeInternal,
		message: "Internal error: " + o.Class + ", reference " + o.Reference + " in the server's log",
		data:    data,
	}
}

// unknownTool says that there is no such tool, and which one may be meant.
func unknownTool(name string, visible *engine.Catalogue) string {
	message := "Unknown tool: " + strconv.Quote(clip(name))
	if len(name) > maxQuoted {
		return message
	}
	names := make([]string, len(visible.Tools))
	for i, t := range visible.Tools {
		names[i] = t.Name
	}
	if near := spell.Nearest(name, names); near != "" {
		message += "; did you mean " + strconv.Quote(near) + "?"
	}
	return message
}

// appendResult writes the result of a call. tool is nil where the catalogue
// that everybody may see does not have it.
func appendResult(dst []byte, o *engine.Outcome, tool *engine.Descriptor, rev revision, meta []byte) []byte {
	dst = append(dst, '{')
	if rev.modern() {
		dst = append(dst, `"resultType":"complete",`...)
	}
	dst = append(appendContent(append(dst, `"content":[`...), o, rev), ']')
	if o.IsError {
		dst = append(dst, `,"isError":true`...)
	} else if o.Structured != nil && rev >= v20250618 {
		dst = append(dst, `,"structuredContent":`...)
		dst = appendStructured(dst, o.Structured, tool, rev)
	}
	if rev.modern() {
		dst = append(append(dst, ','), meta...)
	}
	return append(dst, '}')
}

// appendStructured writes a structured value. Before 2026-07-28 it has to be an
// object, and fit the output schema that the client was given: see
// appendOutputSchema.
func appendStructured(dst, value []byte, tool *engine.Descriptor, rev revision) []byte {
	if rev.modern() || !wrapped(value, tool) {
		return appendJSON(dst, value)
	}
	return append(appendJSON(append(dst, `{"result":`...), value), '}')
}

// wrapped tells whether clients that take nothing but objects get the value as
// {"result": value}: where the tool has an output schema that decides, for all
// its values alike, else the value does.
func wrapped(value raw, tool *engine.Descriptor) bool {
	if tool != nil && tool.OutputSchema != nil {
		return !tool.ObjectOutput
	}
	return !value.isObject()
}

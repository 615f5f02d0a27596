package mcp

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

// Headers that repeat parts of a request's body, in the form of http.Header.
// Source: docs/specification/2026-07-28/basic/transports/streamable-http,
// "Request Metadata".
const (
	headerVersion = "Mcp-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerParam   = "Mcp-Param-"
)

// checkHeaders tells whether the headers that repeat the body are there and
// right. What stands between client and server may have decided by them.
func (x *exchange) checkHeaders() *rpcError {
	if len(x.header[headerVersion]) == 0 {
		return headerMismatch("MCP-Protocol-Version is missing: send " + x.rev.String())
	}
	value, err := oneHeader(x.header, headerMethod)
	if err == "" && value != x.msg.method {
		err = differs(headerMethod, value, quote(x.msg.method))
	}
	if err == "" && x.msg.method == "tools/call" && x.msg.name.isString() {
		name := x.msg.name.text()
		value, err = oneEncoded(x.header, headerName)
		if err == "" && value != name {
			err = differs(headerName, value, quote(name))
		}
	}
	if err != "" {
		return headerMismatch(err)
	}
	return nil
}

// oneHeader returns the value of a header that has to be there once, in
// characters that all handle alike, or what is wrong with it.
func oneHeader(h http.Header, name string) (value, problem string) {
	switch values := h[name]; len(values) {
	case 1:
		value = values[0]
	case 0:
		return "", name + " is missing"
	default:
		return "", name + " is there " + times(len(values)) + ": send it once"
	}
	for i := range len(value) {
		if c := value[i]; (c < ' ' || c > '~') && c != '\t' {
			return "", name + " holds bytes that are not plain ASCII: send =?base64?...?="
		}
	}
	return value, ""
}

const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// oneEncoded is oneHeader for values that may come as =?base64?...?=.
func oneEncoded(h http.Header, name string) (value, problem string) {
	value, problem = oneHeader(h, name)
	if problem != "" {
		return "", problem
	}
	value, ok := decodeValue(value)
	if !ok {
		return "", name + " begins like =?base64?...?= and is not base64 with padding"
	}
	return value, ""
}

// decodeValue decodes a header value that is marked as base64, and returns any
// other as it is.
// Source: streamable-http, "Value Encoding".
func decodeValue(value string) (string, bool) {
	inner, ok := strings.CutPrefix(value, encodedPrefix)
	if !ok {
		return value, true
	}
	if inner, ok = strings.CutSuffix(inner, encodedSuffix); !ok {
		return value, true
	}
	plain, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(plain), err == nil
}

// differs says that a header contradicts the body; want is ready to be read.
func differs(header, value, want string) string {
	return header + " is " + quote(value) + ", and the body says " + want
}

func quote(s string) string { return strconv.Quote(clip(s)) }

func times(n int) string { return strconv.Itoa(n) + " times" }

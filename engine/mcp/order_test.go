package mcp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestOrder begins with a request that is wrong in every respect and mends one
// after the other: each answer is about what is wrong first.
func TestOrder(t *testing.T) {
	s := serving(newFake(), Options{Loopback: true, MaxBody: 1000})
	verb, host := http.MethodPut, "evil.example"
	header := http.Header{
		"Origin":       {"http://evil.example"},
		"Content-Type": {"text/plain"},
		"Accept":       {"text/html"},
		headerVersion:  {"2026-07-28"},
	}
	pad := strings.Repeat(" ", 1000)
	brace, version, method, tool, arguments := "", "v999", "no/such", "regoin", `["eu"]`
	capabilities := ""
	steps := []struct {
		mend   func()
		status int
		code   int
		about  string
	}{
		{func() {}, 403, codeInvalidRequest, "Origin"},
		{func() { header.Del("Origin") }, 403, codeInvalidRequest, "Host"},
		{func() { host = "localhost" }, 405, codeInvalidRequest, "POST"},
		{func() { verb = http.MethodPost }, 415, codeInvalidRequest, "Content-Type"},
		{func() { header.Set("Content-Type", "application/json") }, 406, codeInvalidRequest, "Accept"},
		{func() { header.Set("Accept", "application/json") }, 413, codeInvalidRequest, "1000 bytes"},
		{func() { pad = "" }, 400, codeParse, "Parse error"},
		{func() { brace = "}" }, 400, codeHeaderMismatch, "MCP-Protocol-Version"},
		{func() { header.Set("MCP-Protocol-Version", "v999") }, 400, codeUnsupportedVersion, "version"},
		{func() { version = "2026-07-28"; header.Set("MCP-Protocol-Version", version) }, 400, codeInvalidParams, "clientCapabilities"},
		{func() { capabilities = `,"` + metaCapabilities + `":{}` }, 400, codeHeaderMismatch, "Mcp-Method"},
		{func() { header.Set("Mcp-Method", "no/such") }, 404, codeMethodNotFound, "no/such"},
		{func() { method = "tools/call"; header.Set("Mcp-Method", method) }, 400, codeHeaderMismatch, "Mcp-Name"},
		{func() { header.Set("Mcp-Name", tool); header.Set("Mcp-Param-Region", "us") }, 200, codeInvalidParams, "Unknown tool"},
		{func() { tool = "region"; header.Set("Mcp-Name", tool) }, 400, codeHeaderMismatch, "Mcp-Param-Region"},
		{func() { header.Del("Mcp-Param-Region") }, 400, codeInvalidParams, "arguments"},
		{func() { arguments = "{}" }, 200, 0, "here"},
	}
	for _, step := range steps {
		step.mend()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"name":%q,"arguments":%s,"_meta":{%q:%q%s}}%s%s`,
			method, tool, arguments, metaVersion, version, capabilities, brace, pad)
		r := httptest.NewRequest(verb, "http://"+host+"/mcp", strings.NewReader(body))
		r.Header = header
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		answer := w.Body.String()
		code := step.code == 0 || strings.Contains(answer, fmt.Sprintf(`"code":%d`, step.code))
		if w.Code != step.status || !code || !strings.Contains(answer, step.about) {
			t.Errorf("want %d, %d, %s: HTTP %d %s", step.status, step.code, step.about, w.Code, answer)
		}
	}
}

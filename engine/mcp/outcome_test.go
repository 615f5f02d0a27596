package mcp

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/engine"
)

// TestOutcomes has a row for everything that can come of a call, and what
// clients of either era get of it.
func TestOutcomes(t *testing.T) {
	const refusal = "Mcp-Param-Region is missing"
	visible := &engine.Catalogue{Tools: []*engine.Descriptor{{Name: "disk_usage"}, {Name: "memory"}}}
	tests := []struct {
		name           string
		outcome        engine.Outcome
		tool, refusal  string
		modern, legacy int // HTTP status
		code           int // 0: a result
		says           string
		isError        bool
	}{
		{name: "a result", outcome: engine.Outcome{Content: text("fine")}, modern: 200, legacy: 200, says: "fine"},
		{name: "fail", outcome: engine.Outcome{IsError: true, Class: "ToolError", Content: text("no such host")}, modern: 200, legacy: 200, says: "no such host", isError: true},
		{name: "bad arguments", outcome: engine.Outcome{IsError: true, Class: "ArgumentsError", Content: text("/count: expected integer")}, modern: 200, legacy: 200, says: "/count", isError: true},
		{name: "a limit", outcome: engine.Outcome{IsError: true, Class: "StepLimit", Content: text("step limit 100 exceeded")}, modern: 200, legacy: 200, says: "step limit", isError: true},
		{name: "the deadline", outcome: engine.Outcome{IsError: true, Class: "Timeout", Content: text("timeout of 10s")}, modern: 200, legacy: 200, says: "timeout", isError: true},
		{name: "ended by the server", outcome: engine.Ended(engine.ErrStopping), modern: 200, legacy: 200, says: "the server is stopping", isError: true},
		{name: "a script's fault", outcome: engine.Outcome{Status: engine.Fault, Class: "EvalError", Reference: "0a1b2c3d", Detail: "key secret", Message: "secret"}, modern: 200, legacy: 200, code: codeInternal, says: "EvalError, reference 0a1b2c3d"},
		{name: "a panic", outcome: engine.Outcome{Status: engine.Fault, Class: engine.ClassPanic, Reference: "0a1b2c3d", Detail: "secret"}, modern: 200, legacy: 200, code: codeInternal, says: "HostPanic"},
		{name: "no such tool", outcome: engine.Outcome{Status: engine.Unknown}, tool: "nope", modern: 200, legacy: 200, code: codeInvalidParams, says: `Unknown tool: \"nope\""`},
		{name: "a tool with nearly that name", outcome: engine.Outcome{Status: engine.Unknown}, tool: "disk_usgae", modern: 200, legacy: 200, code: codeInvalidParams, says: `did you mean \"disk_usage\"?`},
		{name: "a tool with a name beyond bounds", outcome: engine.Outcome{Status: engine.Unknown}, tool: strings.Repeat("é", 1e6), modern: 200, legacy: 200, code: codeInvalidParams, says: `éé...`},
		{name: "arguments that are no object", outcome: engine.Outcome{Status: engine.Refused, Message: "arguments must be an object"}, modern: 400, legacy: 200, code: codeInvalidParams, says: "arguments must be an object"},
		{name: "headers that differ", outcome: engine.Outcome{Status: engine.Refused, Reason: engine.HeadersDiffer, Message: refusal}, refusal: refusal, modern: 400, legacy: 200, code: codeHeaderMismatch, says: refusal},
		{name: "arguments wrong beside headers", outcome: engine.Outcome{Status: engine.Refused, Reason: engine.NotAnObject, Message: "no object"}, refusal: refusal, modern: 400, legacy: 200, code: codeInvalidParams, says: "no object"},
		{name: "not let in", outcome: engine.Outcome{Status: engine.Unauthorized}, modern: 401, legacy: 401, code: codeInvalidRequest, says: "Authorization: Bearer"},
		{name: "a status from the future", outcome: engine.Outcome{Status: 99}, modern: 200, legacy: 200, code: codeInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for rev, status := range map[revision]int{newest: tt.modern, newestLegacy: tt.legacy} {
				x := &exchange{rev: rev, msg: message{id: raw("1")}}
				code := 0
				if err := protocolError(&tt.outcome, &engine.Request{Tool: tt.tool, Refusal: tt.refusal}, visible); err != nil {
					code = err.code
					x.fail(err)
				} else {
					x.beginResult()
					x.head = appendResult(x.head, &tt.outcome, nil, rev, nil)
				}
				if x.status != status || code != tt.code {
					t.Errorf("%s: HTTP %d, code %d; want %d, %d", rev, x.status, code, status, tt.code)
				}
				reply := string(x.head)
				if !strings.Contains(reply, tt.says) || strings.Contains(reply, "secret") || len(reply) > 2000 {
					t.Errorf("%s: %.2000s", rev, reply)
				}
				if got := strings.Contains(reply, `"isError":true`); got != tt.isError {
					t.Errorf("%s: isError is %t: %s", rev, got, reply)
				}
			}
		})
	}
}

func TestUnauthorizedChallenges(t *testing.T) {
	f := newFake()
	f.calls["echo"] = nil
	w := post(t, serving(refusing{f}, Options{}), callBody(1, "echo", `{"text":"x"}`))
	if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("HTTP %d, WWW-Authenticate %q", w.Code, w.Header().Get("WWW-Authenticate"))
	}
}

// refusing lets nobody in.
type refusing struct{ engine.Service }

func (refusing) Do(ctx context.Context, req engine.Request) engine.Outcome {
	return engine.Outcome{Status: engine.Unauthorized}
}

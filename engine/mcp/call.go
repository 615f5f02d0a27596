package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/starmcp/starmcp/engine"
)

// callTool answers tools/call.
// Source: docs/specification/2026-07-28/server/tools, "Calling Tools".
func (s *Server) callTool(ctx context.Context, x *exchange) *rpcError {
	if !x.msg.name.isString() {
		return invalidParams("Invalid params: params.name must be a string that names a tool")
	}
	req := x.request(engine.Call)
	req.Tool = x.msg.name.text()
	req.Arguments = json.RawMessage(x.msg.arguments)
	catalogue := x.edition.catalogue
	tool := catalogue.Find(req.Tool)
	if tool != nil && x.header != nil && x.rev.modern() {
		req.Refusal = paramMismatch(tool.Headers, x.header, x.msg.arguments)
	}

	start := time.Now()
	outcome := s.call(ctx, x.service, req, tool != nil || catalogue.Private)
	if outcome.Class == engine.ClassCancelled {
		x.unwanted = true
	} else if err := protocolError(&outcome, &req, catalogue); err != nil {
		x.fail(err)
	} else {
		x.beginResult()
		x.head = append(appendResult(x.head, &outcome, tool, x.rev, x.edition.meta), '}')
	}
	s.logCall(ctx, x, &req, &outcome, time.Since(start))
	return nil
}

// call lets the service answer, once there is room. What cannot come as far as
// running needs none: there is no such tool, or the request is refused.
func (s *Server) call(ctx context.Context, service engine.Service, req engine.Request, exists bool) engine.Outcome {
	if exists && req.Refusal == "" {
		if none := s.room.enter(ctx); none != nil {
			return *none
		}
		defer s.room.leave()
	}
	return do(ctx, service, req)
}

// do lets the service answer, and a panic in it be a fault of this request alone.
func do(ctx context.Context, service engine.Service, req engine.Request) (outcome engine.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			outcome = engine.Outcome{
				Status:    engine.Fault,
				Class:     engine.ClassPanic,
				Reference: fmt.Sprintf("%012x", rand.Uint64()>>16),
				Detail:    fmt.Sprintf("panic: %v\n\n%s", p, debug.Stack()),
			}
		}
	}()
	return service.Do(ctx, req)
}

package mcp

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// pageSize is how many tools one answer lists.
const pageSize = 1000

// listTools answers tools/list.
// Source: docs/specification/2026-07-28/server/tools, "Listing Tools".
func (s *Server) listTools(ctx context.Context, x *exchange) *rpcError {
	after, err := x.cursor()
	if err != nil {
		return err
	}
	req := x.request(engine.List)
	outcome := do(ctx, x.service, req)
	if err := protocolError(&outcome, &req, x.edition.catalogue); err != nil {
		x.fail(err)
		s.logFault(ctx, x, &outcome)
		return nil
	}
	e := x.edition
	if outcome.Catalogue != e.catalogue {
		e = s.newEdition(outcome.Catalogue)
	}
	x.writePage(e, after)
	return nil
}

// writePage makes the reply that lists the tools after the named one.
func (x *exchange) writePage(e *edition, after string) {
	tools := e.catalogue.Tools
	from, found := slices.BinarySearchFunc(tools, after, func(t *engine.Descriptor, name string) int {
		return strings.Compare(t.Name, name)
	})
	if found {
		from++
	}
	to := min(from+pageSize, len(tools))

	x.beginResult()
	if x.rev.modern() {
		x.head = append(x.head, `{"resultType":"complete","tools":[`...)
	} else {
		x.head = append(x.head, `{"tools":[`...)
	}
	x.body = e.list(x.rev).run(from, to)
	x.tail = append(x.tail[:0], ']')
	if to < len(tools) {
		x.tail = appendText(append(x.tail, `,"nextCursor":`...), cursorAfter(tools[to-1].Name))
	}
	if x.rev.modern() {
		x.tail = append(append(x.tail, ','), e.caching...)
		x.tail = append(append(x.tail, ','), e.meta...)
	}
	x.tail = append(x.tail, `}}`...)
}

// A cursor holds the last name that was given, so that any replica can go on
// from there, also after tools came or went. The prefix tells ours from others.
const cursorPrefix = "after:"

func cursorAfter(name string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + name))
}

// parseCursor returns the name in a cursor.
func parseCursor(cursor string) (name string, ok bool) {
	plain, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return "", false
	}
	name, ok = strings.CutPrefix(string(plain), cursorPrefix)
	return name, ok && cursorAfter(name) == cursor // and not the same with line ends
}

// cursor returns the name after which the list is to go on; empty: from the start.
func (x *exchange) cursor() (string, *rpcError) {
	c := x.msg.cursor
	if c == nil || c.isNull() {
		return "", nil
	}
	if name, ok := parseCursor(c.text()); ok {
		return name, nil
	}
	return "", invalidParams("Invalid params: params.cursor is not one that this server gave out: list again from the start, without a cursor")
}

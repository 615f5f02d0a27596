// Package mcp speaks the Model Context Protocol, over HTTP and stdio, to
// clients of every revision from 2024-11-05 to 2026-07-28, and knows nothing
// of how tools are made.
//
// A [Server] answers from an [engine.Service], which it asks for anew with each
// request: whatever that gives answers the request to its end. Requests share
// nothing else but the room to run calls in, so any replica can answer any of
// them.
//
// The way of a request, the same for both transports:
//
//	bytes -> message -> exchange -> engine.Request -> engine.Outcome -> reply
//
// decode.go reads the bytes, exchange.go settles which revision applies and
// checks what the request says of itself, methods.go does what it asks for, and
// outcome.go decides what the outcome becomes on the wire. http.go and stdio.go
// only carry: a stream of notifications before the reply is a matter of theirs.
package mcp

// Package mcp speaks the Model Context Protocol, over HTTP and stdio, to
// clients of every revision from 2024-11-05 to 2026-07-28, and knows nothing
// of how tools are made.
package mcp

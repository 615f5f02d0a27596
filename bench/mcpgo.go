package main

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newMCPGoServer serves the tool with mcp-go as its documentation shows it,
// with its defaults. They validate neither arguments nor results, which is in
// its favour here.
func newMCPGoServer(tools int) *server.MCPServer {
	s := server.NewMCPServer("mcp-go", "1", server.WithToolCapabilities(false))
	s.AddTool(mcpGoGreet(), mcp.NewStructuredToolHandler(
		func(_ context.Context, _ mcp.CallToolRequest, args greetArgs) (greetResult, error) {
			return greet(args), nil
		}))
	for _, f := range fillers(tools) {
		s.AddTool(mcpGoFiller(f), mcp.NewStructuredToolHandler(
			func(context.Context, mcp.CallToolRequest, fillerArgs) (any, error) { return nil, nil }))
	}
	return s
}

func mcpGoGreet() mcp.Tool {
	return mcp.NewTool(toolName,
		mcp.WithDescription(greetDescription),
		mcp.WithString("name", mcp.Required(), mcp.Description(nameDescription), mcp.MinLength(1)),
		mcp.WithString("greeting", mcp.Enum("hello", "welcome", "goodbye")),
		mcp.WithInteger("times", mcp.Min(1), mcp.Max(10)),
		mcp.WithBoolean("excited"),
		mcp.WithArray("tags", mcp.WithStringItems()),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithOutputSchema[greetResult](),
	)
}

func mcpGoFiller(f filler) mcp.Tool {
	return mcp.NewTool(f.name,
		mcp.WithDescription(f.description),
		mcp.WithString("path", mcp.Description(pathDescription)),
		mcp.WithInteger("limit", mcp.Description(limitDescription)),
		mcp.WithSchemaAdditionalProperties(false),
	)
}

func mcpGoHandler(tools int) (http.Handler, error) {
	return server.NewStreamableHTTPServer(newMCPGoServer(tools), server.WithStateLess(true)), nil
}

func mcpGoStdio(tools int) error {
	return server.ServeStdio(newMCPGoServer(tools))
}

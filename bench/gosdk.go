package main

import (
	"context"
	"net/http"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newGoSDKServer serves the tool with the official Go SDK as its documentation
// shows it: typed handlers, schemas inferred from the types and then refined.
func newGoSDKServer(tools int) (*mcp.Server, error) {
	input, err := goSDKGreetInput()
	if err != nil {
		return nil, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: toolName, Description: greetDescription, InputSchema: input},
		func(_ context.Context, _ *mcp.CallToolRequest, args greetArgs) (*mcp.CallToolResult, greetResult, error) {
			return nil, greet(args), nil
		})
	for _, f := range fillers(tools) {
		mcp.AddTool(s, &mcp.Tool{Name: f.name, Description: f.description},
			func(context.Context, *mcp.CallToolRequest, fillerArgs) (*mcp.CallToolResult, any, error) {
				return nil, nil, nil
			})
	}
	return s, nil
}

// goSDKGreetInput adds to the inferred schema what Go types cannot say.
func goSDKGreetInput() (*jsonschema.Schema, error) {
	input, err := jsonschema.For[greetArgs](nil)
	if err != nil {
		return nil, err
	}
	input.Properties["name"].MinLength = jsonschema.Ptr(1)
	input.Properties["greeting"].Enum = []any{"hello", "welcome", "goodbye"}
	input.Properties["times"].Minimum = jsonschema.Ptr(1.0)
	input.Properties["times"].Maximum = jsonschema.Ptr(10.0)
	return input, nil
}

// goSDKHandler serves without sessions and with plain JSON answers, as starmcp does.
func goSDKHandler(tools int) (http.Handler, error) {
	s, err := newGoSDKServer(tools)
	if err != nil {
		return nil, err
	}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}), nil
}

func goSDKStdio(tools int) error {
	s, err := newGoSDKServer(tools)
	if err != nil {
		return err
	}
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

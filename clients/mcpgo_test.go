package clients

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGoPeer is a client of mcp-go.
type mcpGoPeer struct{ client *client.Client }

func connectMCPGo(t *testing.T, where endpoint, revision string) peer {
	t.Helper()
	c := client.NewClient(mcpGoTransport(t, where), client.WithProtocolVersion(revision))
	if err := c.Start(t.Context()); err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1"}
	if _, err := c.Initialize(t.Context(), request); err != nil {
		t.Fatalf("initialize: %v", err)
	}
	return mcpGoPeer{c}
}

func mcpGoTransport(t *testing.T, where endpoint) transport.Interface {
	t.Helper()
	if where.url == "" {
		return transport.NewStdio(starmcp, nil, stdioArgs(where.dir)...)
	}
	http, err := transport.NewStreamableHTTP(where.url)
	if err != nil {
		t.Fatal(err)
	}
	return http
}

func (p mcpGoPeer) revision() string { return p.client.ProtocolVersion() }

func (p mcpGoPeer) list(ctx context.Context) ([]tool, error) {
	result, err := p.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	return convert[[]tool](result.Tools)
}

func (p mcpGoPeer) call(ctx context.Context, name string, arguments any) (*answer, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = name
	request.Params.Arguments = arguments
	result, err := p.client.CallTool(ctx, request)
	if err != nil {
		return nil, err
	}
	a, err := convert[*answer](result)
	if err == nil && result.RawStructuredContent != nil {
		a.StructuredContent = json.RawMessage(result.RawStructuredContent)
	}
	return a, err
}

package clients

import (
	"context"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDKPeer is a session of the official Go SDK.
type goSDKPeer struct{ session *mcp.ClientSession }

func connectGoSDK(t *testing.T, where endpoint, revision string) peer {
	t.Helper()
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: where.url}
	if where.url == "" {
		transport = &mcp.CommandTransport{Command: exec.Command(starmcp, stdioArgs(where.dir)...)}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return goSDKPeer{session}
}

func (p goSDKPeer) revision() string { return p.session.InitializeResult().ProtocolVersion }

func (p goSDKPeer) list(ctx context.Context) ([]tool, error) {
	var tools []tool
	for t, err := range p.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		converted, err := convert[tool](t)
		if err != nil {
			return nil, err
		}
		tools = append(tools, converted)
	}
	return tools, nil
}

func (p goSDKPeer) call(ctx context.Context, name string, arguments any) (*answer, error) {
	result, err := p.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return nil, err
	}
	return convert[*answer](result)
}

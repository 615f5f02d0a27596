package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// bareServer is the floor: what net/http and encoding/json cost by themselves.
// It decodes the request and the arguments into Go types, runs the tool and
// encodes the answer, and knows no protocol beyond that: no headers, no
// versions, no schema.
type bareServer struct {
	tools []bareTool
}

type bareTool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

type bareRequest struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name      string                     `json:"name"`
		Arguments greetArgs                  `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
}

type bareResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type bareText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type bareCallResult struct {
	ResultType        string      `json:"resultType"`
	Content           []bareText  `json:"content"`
	StructuredContent greetResult `json:"structuredContent"`
}

type bareListResult struct {
	ResultType string     `json:"resultType"`
	TTLMs      int        `json:"ttlMs"`
	CacheScope string     `json:"cacheScope"`
	Tools      []bareTool `json:"tools"`
}

// bareGreet and bareFiller are schemas that are encoded already.
var (
	bareGreetInput = json.RawMessage(`{"type":"object","properties":{` +
		`"name":{"type":"string","description":"` + nameDescription + `","minLength":1},` +
		`"greeting":{"type":"string","enum":["hello","welcome","goodbye"]},` +
		`"times":{"type":"integer","minimum":1,"maximum":10},` +
		`"excited":{"type":"boolean"},` +
		`"tags":{"type":"array","items":{"type":"string"}}},` +
		`"required":["name"],"additionalProperties":false}`)
	bareGreetOutput = json.RawMessage(`{"type":"object","properties":{` +
		`"message":{"type":"string"},"times":{"type":"integer"},` +
		`"tags":{"type":"array","items":{"type":"string"}}},` +
		`"required":["message","times","tags"],"additionalProperties":false}`)
	bareFiller = json.RawMessage(`{"type":"object","properties":{` +
		`"path":{"type":"string","description":"` + pathDescription + `"},` +
		`"limit":{"type":"integer","description":"` + limitDescription + `"}},` +
		`"additionalProperties":false}`)
)

func newBareServer(tools int) *bareServer {
	s := &bareServer{tools: []bareTool{{toolName, greetDescription, bareGreetInput, bareGreetOutput}}}
	for _, f := range fillers(tools) {
		s.tools = append(s.tools, bareTool{Name: f.name, Description: f.description, InputSchema: bareFiller})
	}
	return s
}

func bareHandler(tools int) (http.Handler, error) { return newBareServer(tools), nil }

func bareStdio(tools int) error { return newBareServer(tools).serveStdio() }

func (s *bareServer) answer(message []byte) ([]byte, error) {
	var req bareRequest
	if err := json.Unmarshal(message, &req); err != nil {
		return nil, err
	}
	switch req.Method {
	case "tools/list":
		return json.Marshal(bareResponse{"2.0", req.ID, bareListResult{"complete", 0, "public", s.tools}})
	case "tools/call":
		structured := greet(req.Params.Arguments)
		content := []bareText{{"text", "3 keys in structuredContent."}}
		return json.Marshal(bareResponse{"2.0", req.ID, bareCallResult{"complete", content, structured}})
	}
	return nil, fmt.Errorf("unknown method %q", req.Method)
}

func (s *bareServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply, err := s.answer(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(reply)
}

func (s *bareServer) serveStdio() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		reply, err := s.answer(lines.Bytes())
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(append(reply, '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

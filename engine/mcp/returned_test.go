package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const tooBig = "The result is bigger than the limit of 1 MiB, so it is not sent as structured data. Ask for less at once. It begins (64 KiB shown):"

// A returning is an expression that a script returns, and what becomes of it.
type returning struct {
	name   string
	schema string // the tool's output schema; empty: none
	code   string

	// A result's first text block and its structuredContent, for clients of
	// 2026-07-28 and for older ones. valueLegacy is empty where it is the same.
	text, textLegacy, value, valueLegacy string
	isError                              bool

	class string // of a fault; then there is no result
}

var returned = []returning{
	{name: "a_list", code: `[{"a": 1}]`, text: "1 item in structuredContent.", textLegacy: `[{"a":1}]`, value: `[{"a":1}]`, valueLegacy: `{"result":[{"a":1}]}`},
	{name: "a_list_promised", schema: `{"type": "array"}`, code: `[{"a": 1}]`, text: "1 item in structuredContent.", textLegacy: `[{"a":1}]`, value: `[{"a":1}]`, valueLegacy: `{"result":[{"a":1}]}`},
	{name: "an_int", code: `9007199254740993`, text: "9007199254740993", textLegacy: "9007199254740993", value: "9007199254740993", valueLegacy: `{"result":9007199254740993}`},
	{name: "a_float", schema: `{"type": "number"}`, code: `1.0`, text: "1.0", textLegacy: "1.0", value: "1.0", valueLegacy: `{"result":1.0}`},
	{name: "a_bool", code: `False`, text: "false", textLegacy: "false", value: "false", valueLegacy: `{"result":false}`},
	{name: "a_text", code: `"plain"`, text: "plain", textLegacy: "plain"},
	{name: "a_text_promised", schema: `{"type": "string"}`, code: `"plain"`, text: "plain", textLegacy: `"plain"`, value: `"plain"`, valueLegacy: `{"result":"plain"}`},
	{name: "nothing", code: `None`},
	{name: "nothing_promised", schema: `{"type": ["object", "null"]}`, code: `None`, textLegacy: "null", value: "null", valueLegacy: `{"result":null}`},
	{name: "an_object", code: `{"big": 1 << 70, "f": 1.0, "i": 1}`, text: "big, f, i in structuredContent.", textLegacy: `{"big":1180591620717411303424,"f":1.0,"i":1}`, value: `{"big":1180591620717411303424,"f":1.0,"i":1}`},
	{name: "an_object_promised", schema: `{"type": "object"}`, code: `{"rows": []}`, text: "0 rows in structuredContent.", textLegacy: `{"rows":[]}`, value: `{"rows":[]}`},
	{name: "an_object_or_null", schema: `{"type": ["object", "null"]}`, code: `{"a": 1}`, text: "a in structuredContent.", textLegacy: `{"a":1}`, value: `{"a":1}`, valueLegacy: `{"result":{"a":1}}`},
	{name: "json_in_a_text", code: `json.encode({"a": 1})`, text: `{"a":1}`, textLegacy: `{"a":1}`},
	{name: "json_in_an_object", code: `{"a": json.encode({"b": 1})}`, text: "a in structuredContent.", textLegacy: `{"a":"{\"b\":1}"}`, value: `{"a":"{\"b\":1}"}`},
	{name: "bytes", code: `b"caf\xe9 \xff\xfe"`, text: "caf\ufffd \ufffd\ufffd", textLegacy: "caf\ufffd \ufffd\ufffd"},
	{name: "half_a_character", code: `"é"[:1] + "\x00\x1b"`, text: "\ufffd\x00\x1b", textLegacy: "\ufffd\x00\x1b"},
	{name: "bytes_in_an_object", code: `{"é"[:1]: [b"\xff", "é"[1:]]}`, text: "2 \ufffd in structuredContent.", textLegacy: `{"` + "\ufffd" + `":["` + "\ufffd\",\"\ufffd" + `"]}`, value: `{"` + "\ufffd" + `":["` + "\ufffd\",\"\ufffd" + `"]}`},
	{name: "an_error", schema: `{"type": "object"}`, code: `result.error("no such host")`, text: "no such host", textLegacy: "no such host", isError: true},
	{name: "a_failure", schema: `{"type": "object"}`, code: `fail("no such host")`, text: "no such host", textLegacy: "no such host", isError: true},
	{name: "too_big", schema: `{"type": "array"}`, code: `["x" * 100] * 20000`, text: tooBig, textLegacy: tooBig, isError: true},
	{name: "a_broken_promise", schema: `{"type": "object"}`, code: `"plain"`, class: "OutputSchemaError"},
	{name: "another_type", schema: `{"properties": {"t": {"type": "number"}}}`, code: `{"t": "warm"}`, class: "OutputSchemaError"},
	{name: "not_a_number", code: `{"mean": float("nan"), "max": float("inf")}`, class: "ResultError"},
	{name: "infinity", code: `1e308 * 10`, class: "ResultError"},
	{name: "not_a_number_encoded", code: `json.encode(float("nan"))`, class: "EvalError"},
	{name: "a_cycle", code: `[endless for endless in [[]] if not endless.append(endless)][0]`, class: "ResultError"},
}

// A callReply is what a client reads of the answer to a call.
type callReply struct {
	Result *struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	Error struct {
		Code int
		Data struct{ Class string }
	}
}

// TestReturned has clients of every revision, on either transport, list and call
// tools that return all kinds of values: what they are sent is what the revision
// allows and the listed output schema says.
func TestReturned(t *testing.T) {
	tools := fstest.MapFS{}
	for _, r := range returned {
		text := fmt.Sprintf("\"\"\"Returns %s.\"\"\"\noutput_schema = %s\ndef call(ctx):\n    return %s\n", r.name, cmp.Or(r.schema, "None"), r.code)
		tools[r.name+".star"] = &fstest.MapFile{Data: []byte(text)}
	}
	service := newService(t, tools)
	for rev := range newest + 1 {
		for transport, client := range map[string]asker{"http": newWeb(t, service), "stdio": newLine(t, service)} {
			t.Run(rev.String()+" "+transport, func(t *testing.T) {
				schemas := listedSchemas(t, client.ask(t, rev, "tools/list", ""))
				for _, r := range returned {
					reply := client.ask(t, rev, "tools/call", r.name)
					if !utf8.Valid(reply) || bytes.ContainsAny(reply, "\x00\x1b\n\r") {
						t.Errorf("%s: raw bytes in %q", r.name, reply)
					}
					var m callReply
					if err := json.Unmarshal(reply, &m); err != nil {
						t.Fatal(err)
					}
					if problem := r.check(rev, &m, schemas[r.name]); problem != "" {
						t.Errorf("%s: %s: %.300s", r.name, problem, reply)
					}
				}
			})
		}
	}
}

// check says what is wrong with a reply to a call, given the schema that was
// listed for it.
func (r *returning) check(rev revision, m *callReply, schema *jsonschema.Schema) string {
	if r.class != "" {
		if m.Result != nil || m.Error.Code != codeInternal || m.Error.Data.Class != r.class {
			return "want a fault of class " + r.class
		}
		return ""
	}
	if m.Result == nil || m.Result.IsError != r.isError {
		return fmt.Sprintf("want a result with isError %t", r.isError)
	}
	text, value := r.text, r.value
	if !rev.modern() {
		text, value = r.textLegacy, cmp.Or(r.valueLegacy, r.value)
	}
	if rev < v20250618 {
		value = ""
	}
	got := ""
	if len(m.Result.Content) > 0 {
		got = m.Result.Content[0].Text
	}
	if got != text || string(m.Result.StructuredContent) != value {
		return fmt.Sprintf("want the text %q and structuredContent %s", text, value)
	}
	if listed := r.schema != "" && rev >= v20250618; listed != (schema != nil) {
		return fmt.Sprintf("want a listed output schema: %t", listed)
	}
	if schema == nil || r.isError {
		return ""
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.Result.StructuredContent))
	if err == nil {
		err = schema.Validate(doc)
	}
	if err != nil {
		return "it does not fit the listed output schema: " + err.Error()
	}
	return ""
}

// An asker sends a request as clients of a revision do, and returns the reply.
type asker interface {
	ask(t *testing.T, rev revision, method, tool string) []byte
}

func (w *web) ask(t *testing.T, rev revision, method, tool string) []byte {
	w.agreed = rev.String()
	res := w.post(t, http.MethodPost, nil, requestOf(rev, method, tool))
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func (c *stdioClient) ask(t *testing.T, rev revision, method, tool string) []byte {
	if !rev.modern() {
		c.send(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+rev.String()+`"}}`)
		c.next(t)
	}
	c.send(t, requestOf(rev, method, tool))
	return []byte(strings.TrimSuffix(c.next(t), "\n"))
}

// listedSchemas compiles the output schemas of a list, by the tools' names.
func listedSchemas(t *testing.T, reply []byte) map[string]*jsonschema.Schema {
	var m struct {
		Result struct {
			Tools []struct {
				Name         string
				OutputSchema json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(reply, &m); err != nil || len(m.Result.Tools) != len(returned) {
		t.Fatalf("%.500s: %v", reply, err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range m.Result.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.OutputSchema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:///"+tool.Name, doc); err != nil {
			t.Fatal(err)
		}
		if schemas[tool.Name], err = c.Compile("mem:///" + tool.Name); err != nil {
			t.Errorf("%s: %v", tool.OutputSchema, err)
		}
	}
	return schemas
}

// requestOf makes a request of a revision.
func requestOf(rev revision, method, tool string) string {
	params := ""
	if tool != "" {
		params = fmt.Sprintf(`"name":%q`, tool)
	}
	if rev.modern() {
		params = strings.TrimPrefix(params+`,"_meta":`+modernMeta, ",")
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, params)
}

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/starmcp/starmcp/engine"
)

type page struct {
	Result struct {
		Tools      []struct{ Name string }
		NextCursor *string
		CacheScope string
		TTLMs      *int
	}
}

func listPage(t testing.TB, s *Server, cursor string) (names []string, next string) {
	t.Helper()
	params := `"_meta":` + modernMeta
	if cursor != "" {
		params = `"cursor":"` + cursor + `",` + params
	}
	var p page
	if err := json.Unmarshal(post(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+params+`}}`).Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	for _, tool := range p.Result.Tools {
		names = append(names, tool.Name)
	}
	if p.Result.NextCursor != nil {
		next = *p.Result.NextCursor
	}
	return names, next
}

func TestPages(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 2500} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			service := crowd(n)
			s := serving(service, Options{})
			var all []string
			pages := 0
			for cursor := ""; ; pages++ {
				names, next := listPage(t, s, cursor)
				if next != "" && len(names) != pageSize {
					t.Errorf("a page of %d", len(names))
				}
				all = append(all, names...)
				if cursor = next; cursor == "" {
					break
				}
			}
			if len(all) != n || !slices.IsSorted(all) || pages != max(0, n-1)/pageSize {
				t.Errorf("%d tools on %d pages", len(all), pages+1)
			}
		})
	}
}

// TestCursorElsewhere holds that a cursor goes on from a name, whatever is
// served meanwhile, and whoever answers.
func TestCursorElsewhere(t *testing.T) {
	_, cursor := listPage(t, serving(crowd(2500), Options{}), "")
	fewer := crowd(2500)
	fewer.catalogue.Tools = slices.DeleteFunc(fewer.catalogue.Tools, func(d *engine.Descriptor) bool {
		return d.Name == "tool_00999" || d.Name == "tool_01000"
	})
	names, _ := listPage(t, serving(fewer, Options{}), cursor)
	if names[0] != "tool_01001" || len(names) != pageSize {
		t.Errorf("%d from %s", len(names), names[0])
	}
}

func TestListIsTheSameEachTime(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + modernMeta + `}}`
	s := serving(crowd(20), Options{})
	first := post(t, s, body).Body.String()
	post(t, s, callBody(1, "tool_00001", "{}"))
	if again := post(t, s, body).Body.String(); again != first {
		t.Error("it changed by itself")
	}
	if other := post(t, serving(crowd(20), Options{}), body).Body.String(); other != first {
		t.Error("another replica lists otherwise")
	}
}

func TestCaching(t *testing.T) {
	for _, tt := range []struct {
		opts    Options
		private bool
		ttl     int
		scope   string
	}{
		{Options{}, false, 300000, "public"},
		{Options{ListTTL: 1500000}, true, 1, "private"},
		{Options{ListTTL: -1}, false, 0, "public"},
	} {
		f := crowd(1)
		f.catalogue.Private = tt.private
		for _, method := range []string{"tools/list", "server/discover"} {
			var p page
			answer := post(t, serving(f, tt.opts), `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"_meta":`+modernMeta+`}}`).Body.Bytes()
			if err := json.Unmarshal(answer, &p); err != nil || p.Result.TTLMs == nil || *p.Result.TTLMs != tt.ttl || p.Result.CacheScope != tt.scope {
				t.Errorf("%+v: %s", tt, answer)
			}
		}
	}
}

// TestOwnCatalogue holds that callers who see another list get theirs.
func TestOwnCatalogue(t *testing.T) {
	own := crowd(3)
	names, _ := listPage(t, serving(listing{crowd(5), own.catalogue}, Options{}), "")
	if len(names) != 3 {
		t.Error(names)
	}
}

// listing lists another catalogue than everybody sees.
type listing struct {
	*fake
	own *engine.Catalogue
}

func (l listing) Do(_ context.Context, _ engine.Request) engine.Outcome {
	return engine.Outcome{Catalogue: l.own}
}

func TestIdentityOfItsOwn(t *testing.T) {
	f := crowd(0)
	f.catalogue.Identity = engine.Identity{}
	answer := post(t, serving(f, Options{Name: "mine", Version: "7"}), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`).Body.String()
	if want := `"serverInfo":{"name":"mine","version":"7"}`; !strings.Contains(answer, want) {
		t.Error(answer)
	}
}

func TestOutputSchemas(t *testing.T) {
	for _, tt := range []struct {
		schema string
		object bool
		want   string // to 2025-11-25
	}{
		{`{"type":"object"}`, true, `{"type":"object"}`},
		{`{"type":["object","null"]}`, false, `{"type":"object","properties":{"result":{"$id":"ID","type":["object","null"]}},"required":["result"]}`},
		{`{}`, false, `{"type":"object","properties":{"result":{"$id":"ID"}},"required":["result"]}`},
		{` { "$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}} }`, false, `{"type":"object","properties":{"result":{"$id":"ID","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a": {"type": "string"}}}},"required":["result"]}`},
		{`{"$id":"https://example.com/s","type":"string"}`, false, `{"type":"object","properties":{"result":{"$id":"https://example.com/s","type":"string"}},"required":["result"]}`},
		{`{"type":"string","$id":"https://example.com/s"}`, false, `{"type":"object","properties":{"result":{"$id":"https://example.com/s","type":"string"}},"required":["result"]}`},
		{`{"allOf":[{"minLength":1}],"$ref":"#/$defs/a"}`, false, `{"type":"object","properties":{"result":{"$id":"ID","allOf":[{"$ref":"#/$defs/a"},{"minLength":1}]}},"required":["result"]}`},
		{`{"allOf":[],"$ref":"#/$defs/a"}`, false, `{"type":"object","properties":{"result":{"$id":"ID","allOf":[{"$ref":"#/$defs/a"}]}},"required":["result"]}`},
		{`{"allOf":[{"minLength":1}]}`, false, `{"type":"object","properties":{"result":{"$id":"ID","allOf":[{"minLength":1}]}},"required":["result"]}`},
		{`true`, false, `{"type":"object","properties":{"result":true},"required":["result"]}`},
	} {
		d := &engine.Descriptor{OutputSchema: []byte(tt.schema), ObjectOutput: tt.object}
		got := regexp.MustCompile(`urn:starmcp:schema:[0-9a-f]{16}`).ReplaceAllString(string(appendOutputSchema(nil, d, newestLegacy)), "ID")
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.schema, got, tt.want)
		}
		if got := string(appendOutputSchema(nil, d, newest)); got != tt.schema {
			t.Errorf("changed for newer clients: %s", got)
		}
	}
}

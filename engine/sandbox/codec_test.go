package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine"
)

func nested(levels int) any {
	var v any = "deep"
	for range levels {
		v = []any{v}
	}
	return v
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	data, err := appendValue(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPlainData(t *testing.T) {
	for _, v := range []any{
		nil, true, false, int64(0), int64(math.MinInt64), int64(math.MaxInt64), 1.5, math.Inf(-1), "", "a\xffé", []byte{}, []byte("\x00\xff"),
		time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), time.Date(-1, 1, 2, 3, 4, 5, 0, time.UTC), -time.Hour, []any{}, map[string]any{},
		[]any{nil, int64(1), []any{"x"}, map[string]any{"b": int64(1), "a": nil, "": []byte("x")}}, nested(maxDepth),
	} {
		data := encoded(t, v)
		var got any
		if err := decode(data, &got, maxValues); err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		if !reflect.DeepEqual(v, got) {
			t.Errorf("%v became %v", v, got)
		}
		if again := encoded(t, got); !bytes.Equal(data, again) {
			t.Errorf("%v has two encodings: %x and %x", v, data, again)
		}
	}
	var nan any
	if err := decode(encoded(t, math.NaN()), &nan, 1); err != nil || nan.(float64) == nan.(float64) {
		t.Error(nan, err)
	}
}

func TestMessages(t *testing.T) {
	yes := true
	for _, m := range []any{
		&callMessage{Number: -1, Explain: true, Tool: "a", Arguments: []byte("{}"), Client: engine.Client{Name: "x"}},
		&callMessage{},
		&openMessage{Identity: engine.Identity{Name: "ops"}, Files: 3},
		&loadMessage{Grants: []Grant{{Needs: engine.Needs{"read": {"/a", "/b"}, "": nil}, Source: "s"}}, Without: map[string]string{"b": "2", "a": "1"}},
		&engine.ToolImage{
			File: "a.star", Descriptor: engine.Descriptor{Name: "a", InputSchema: json.RawMessage("{}"), Headers: []engine.HeaderParam{{Path: []string{"x"}}}},
			Annotations: engine.Annotations{ReadOnly: &yes}, Limits: engine.Limits{Timeout: time.Second, Steps: math.MaxUint64, Memory: 1 << 40},
		},
		&engine.FileImage{Path: "a", Text: []byte{}, Loads: map[string]string{}},
		&doneMessage{Outcome: &outcomeMessage{Status: engine.Fault, Log: []attrMessage{{"d", time.Second}, {"n", nil}}, Structured: []byte("null")}},
		&doneMessage{Arguments: []byte("{}"), Held: 1},
		&effectMessage{Number: 1, Kind: "fs.read", Args: map[string]any{"path": "/"}},
		&answerMessage{Failure: effectFailed, Kind: engine.Denied},
	} {
		got := reflect.New(reflect.TypeOf(m).Elem())
		if err := decode(encoded(t, m), got.Interface(), maxValues); err != nil {
			t.Errorf("%T: %v", m, err)
			continue
		}
		if diff := cmp.Diff(m, got.Interface()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestNoPlainData(t *testing.T) {
	for _, v := range []any{make(chan int), func() {}, map[int]string{1: "a"}, []any{uintptr(1)}, complex(1, 1)} {
		if data, err := appendValue(nil, v); err == nil {
			t.Errorf("%T is encoded as %x", v, data)
		}
	}
}

// What anybody may send is refused, for a reason.
func TestMalformed(t *testing.T) {
	list := func(n byte, rest ...byte) []byte { return append([]byte{byte(tagList), n}, rest...) }
	for _, c := range []struct {
		name   string
		data   []byte
		target any
		want   string
	}{
		{"nothing", nil, new(any), "too early"},
		{"more", []byte{0, 0}, new(any), "1 bytes follow"},
		{"tag", []byte{99}, new(any), "99 is no tag"},
		{"int", []byte{byte(tagInt), 0x80}, new(any), "too early"},
		{"long int", append([]byte{byte(tagInt)}, bytes.Repeat([]byte{0xff}, 11)...), new(any), "too early"},
		{"float", []byte{byte(tagFloat), 1, 2}, new(any), "too early"},
		{"length", []byte{byte(tagString), 5, 'a'}, new(any), "too early"},
		{"huge length", append([]byte{byte(tagBytes)}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), new(any), "too early"},
		{"count", list(5, 0, 0), new(any), "too early"},
		{"many", append([]byte{byte(tagList), 0x80, 0x80, 0x40}, make([]byte, 1<<20)...), new(any), "too many values"},
		{"many in parts", encoded(t, []any{make([]any, maxValues/2), make([]any, maxValues/2)}), new(any), "too many values"},
		{"deep", encoded(t, nested(maxDepth+1)), new(any), "nests over"},
		{"time", []byte{byte(tagTime), 0, 0xff, 0xff, 0xff, 0xff, 0x7f}, new(any), "a time"},
		{"twice a key", []byte{byte(tagMap), 2, 1, 'a', 0, 1, 'a', 0}, new(any), "out of order"},
		{"order", []byte{byte(tagMap), 2, 1, 'b', 0, 1, 'a', 0}, new(map[string]any), "out of order"},
		{"few fields", list(1, 0), new(cancelMessage), "1 fields for"},
		{"type", list(2, 2, byte(tagString), 0), new(cancelMessage), "a bool for a int64"},
		{"null", list(2, 0, byte(tagString), 0), new(cancelMessage), "nil for a int64"},
		{"no list", []byte{byte(tagString), 0}, new(cancelMessage), "the tag 5"},
		{"small int", encoded(t, []any{int64(300)}), new([]int8), "a int64 for a int8"},
	} {
		err := decode(c.data, c.target, maxValues)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFrames(t *testing.T) {
	var pipe bytes.Buffer
	out := &sender{to: &pipe}
	large := make([]byte, 3*keptBuffer)
	for _, m := range [][]byte{[]byte("a"), large, {}, []byte("b")} {
		if err := out.putOff(kindCall, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.send(kindEnd, nil); err != nil {
		t.Fatal(err)
	}
	var oversize *oversizeError
	if err := out.send(kindCall, make([]byte, maxFrame)); !errors.As(err, &oversize) {
		t.Error(err)
	}
	if err := out.send(kindCall, make(chan int)); err == nil {
		t.Error("a channel was sent")
	}
	in := newReceiver(&pipe)
	for _, want := range []int{1, len(large), 0, 1} {
		k, data, err := in.receive()
		var got []byte
		if err == nil {
			err = decode(data, &got, 1)
		}
		if err != nil || k != kindCall || len(got) != want {
			t.Errorf("%d, %d bytes, %v, want %d", k, len(got), err, want)
		}
	}
	if k, _, err := in.receive(); k != kindEnd || err != nil {
		t.Error(k, err)
	}
	if _, _, err := in.receive(); err != io.EOF {
		t.Error(err)
	}
}

func TestOutcomesAreChecked(t *testing.T) {
	text := func(s string) []engine.Block { return []engine.Block{{Type: "text", JSON: json.RawMessage(s)}} }
	for _, c := range []struct {
		name string
		m    outcomeMessage
		ok   bool
	}{
		{"nothing", outcomeMessage{}, true},
		{"text", outcomeMessage{Content: text(`{"type":"text","text":"a"}`)}, true},
		{"another order", outcomeMessage{Content: text(`{"text":"a","type":"text"}`)}, true},
		{"structured", outcomeMessage{Structured: []byte(`[1]`)}, true},
		{"fault", outcomeMessage{Status: engine.Fault}, true},
		{"status", outcomeMessage{Status: 99}, false},
		{"unauthorized", outcomeMessage{Status: engine.Unauthorized}, false},
		{"reason", outcomeMessage{Status: engine.Refused, Reason: engine.HeadersDiffer}, false},
		{"no JSON", outcomeMessage{Content: text(`{"type":"text","text":"a"`)}, false},
		{"two", outcomeMessage{Content: text(`{"type":"text"},{"type":"text"}`)}, false},
		{"no object", outcomeMessage{Content: text(`"text"`)}, false},
		{"no UTF-8", outcomeMessage{Content: text("{\"type\":\"text\",\"text\":\"\xff\"}")}, false},
		{"twice a name", outcomeMessage{Content: text(`{"type":"text","type":"image"}`)}, false},
		{"another type", outcomeMessage{Content: text(`{"type":"image"}`)}, false},
		{"no type", outcomeMessage{Content: text(`{"Type":"text"}`)}, false},
		{"unknown type", outcomeMessage{Content: []engine.Block{{Type: "tool_use", JSON: json.RawMessage(`{"type":"tool_use"}`)}}}, false},
		{"structured, no JSON", outcomeMessage{Structured: []byte(`{"a":}`)}, false},
		{"structured, empty", outcomeMessage{Structured: []byte{}}, false},
	} {
		if err := (&doneMessage{Outcome: &c.m}).check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for arguments, ok := range map[string]bool{`{}`: true, `[]`: false, ``: false, `{`: false} {
		if err := (&doneMessage{Arguments: []byte(arguments)}).check(); (err == nil) != ok {
			t.Errorf("arguments %s: %v", arguments, err)
		}
	}
}

func TestImagesAreChecked(t *testing.T) {
	image := func(change func(*engine.Image)) *engine.Image {
		tool := engine.ToolImage{File: "a.star", Descriptor: engine.Descriptor{Name: "a", InputSchema: json.RawMessage(`{}`)}, Limits: engine.DefaultLimits}
		other := tool
		other.Descriptor.Name = "b"
		i := &engine.Image{Files: []engine.FileImage{{Path: "a.star"}}, Tools: []engine.ToolImage{tool, other}}
		change(i)
		return i
	}
	for name, c := range map[string]struct {
		change func(*engine.Image)
		ok     bool
	}{
		"well":        {func(*engine.Image) {}, true},
		"name":        {func(i *engine.Image) { i.Tools[0].Descriptor.Name = "a b" }, false},
		"order":       {func(i *engine.Image) { i.Tools[0].Descriptor.Name = "c" }, false},
		"twice":       {func(i *engine.Image) { i.Tools[0].Descriptor.Name = "b" }, false},
		"file":        {func(i *engine.Image) { i.Tools[0].File = "b.star" }, false},
		"limits":      {func(i *engine.Image) { i.Tools[0].Limits.Timeout = 0 }, false},
		"schema":      {func(i *engine.Image) { i.Tools[0].Descriptor.InputSchema = nil }, false},
		"schema kind": {func(i *engine.Image) { i.Tools[0].Descriptor.InputSchema = json.RawMessage(`[]`) }, false},
		"icons":       {func(i *engine.Image) { i.Tools[0].Descriptor.Icons = json.RawMessage(`[}`) }, false},
	} {
		if err := checkImage(image(c.change)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzWorker reads what a worker may have been made to write.
func FuzzWorker(f *testing.F) {
	for _, v := range []any{
		nil, []any{map[string]any{"a": int64(1), "b": 1.5}, []byte("x"), time.Unix(1, 2).UTC(), time.Second},
		effectMessage{1, "fs.read", map[string]any{"path": "/"}},
		doneMessage{Outcome: newOutcomeMessage(engine.TooLarge())},
		engine.ToolImage{Descriptor: engine.Descriptor{Name: "a"}}, problemMessage{}, reportMessage{},
	} {
		f.Add(encoded(f, v))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var plain any
		if err := decode(data, &plain, 1000); err == nil {
			// Ints and lengths can be written in several ways; what is read is not.
			var again any
			if err := decode(encoded(t, plain), &again, 1000); err != nil || !bytes.Equal(encoded(t, plain), encoded(t, again)) {
				t.Errorf("%v becomes %v, %v", plain, again, err)
			}
		}
		for _, target := range []any{new(effectMessage), new(doneMessage), new(engine.ToolImage), new(engine.FileImage), new(problemMessage), new(reportMessage), new(readyMessage), new(printMessage)} {
			if err := decode(data, target, 1000); err == nil {
				if done, ok := target.(*doneMessage); ok && done.check() == nil && done.Outcome != nil {
					done.Outcome.outcome()
				}
				encoded(t, target)
			}
		}
		in := newReceiver(bytes.NewReader(data))
		for {
			if _, _, err := in.receive(); err != nil {
				break
			}
		}
	})
}

package builtins_test

import (
	"errors"
	"go/build"
	"path"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/builtins"
	libtime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// TestRequests checks what an effect is at the seam.
func TestRequests(t *testing.T) {
	d := starlark.NewDict(1)
	d.SetKey(starlark.String("k"), starlark.Tuple{starlark.None, starlark.Bytes("b"), builtins.Moment(time.Unix(1, 0)), libtime.Duration(time.Second)})
	for _, c := range []struct {
		kind   string
		module *builtins.Module
		fn     string
		args   starlark.Tuple
		kwargs []starlark.Tuple
		want   map[string]any
	}{
		{kind: "now", module: builtins.Ctx, fn: "now", want: map[string]any{}},
		{kind: "sleep", module: builtins.Ctx, fn: "sleep", args: starlark.Tuple{starlark.String("50ms")}, want: map[string]any{"duration": 50 * time.Millisecond}},
		{kind: "sleep", module: builtins.Ctx, fn: "sleep", args: starlark.Tuple{starlark.MakeInt(2)}, want: map[string]any{"duration": 2 * time.Second}},
		{kind: "log", module: builtins.Ctx, fn: "log", args: starlark.Tuple{starlark.String("m")}, want: map[string]any{"message": "m", "fields": map[string]any{}}},
		{
			kind: "log", module: builtins.Ctx, fn: "log", args: starlark.Tuple{starlark.String("m")},
			kwargs: []starlark.Tuple{{starlark.String("d"), d}, {starlark.String("n"), starlark.MakeInt(3)}, {starlark.String("f"), starlark.Float(1)}, {starlark.String("s"), starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{"x": starlark.True})}},
			want: map[string]any{"message": "m", "fields": map[string]any{
				"d": map[string]any{"k": []any{nil, []byte("b"), time.Unix(1, 0).UTC(), time.Second}}, "n": int64(3), "f": 1.0, "s": map[string]any{"x": true},
			}},
		},
		{
			kind: "fs.read", module: builtins.FS, fn: "read", args: starlark.Tuple{starlark.String("/p")},
			kwargs: []starlark.Tuple{{starlark.String("binary"), starlark.True}, {starlark.String("tail_bytes"), starlark.MakeInt(9)}},
			want:   map[string]any{"path": "/p", "binary": true, "tail_bytes": int64(9)},
		},
		{kind: "fs.read", module: builtins.FS, fn: "lines", args: starlark.Tuple{starlark.String("/p")}, want: map[string]any{"path": "/p", "binary": false}},
		{kind: "fs.stat", module: builtins.FS, fn: "exists", args: starlark.Tuple{starlark.String("/p")}, want: map[string]any{"path": "/p"}},
		{kind: "fs.glob", module: builtins.FS, fn: "glob", args: starlark.Tuple{starlark.String("/p/*")}, want: map[string]any{"pattern": "/p/*"}},
	} {
		var got map[string]any
		fn := find(t, c.module, c.fn).Bind(c.module, func(_ *starlark.Thread, f *builtins.Func, kind string, args map[string]any) (any, error) {
			if kind != c.kind || f.Name != c.fn {
				t.Errorf("%s asks for %s, want %s", c.fn, kind, c.kind)
			}
			got = args
			return nil, errors.New("enough")
		})
		if _, err := starlark.Call(new(starlark.Thread), fn, c.args, c.kwargs); err == nil || err.Error() != "enough" {
			t.Errorf("%s: %v", c.fn, err)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got request %#v, want %#v", c.fn, got, c.want)
		}
	}
}

func find(t testing.TB, m *builtins.Module, name string) *builtins.Func {
	t.Helper()
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s has no %s", m.Name, name)
	return nil
}

func TestEffectsNeedAHost(t *testing.T) {
	fn := find(t, builtins.Ctx, "now").Bind(builtins.Ctx, nil)
	_, err := starlark.Call(new(starlark.Thread), fn, nil, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "ctx.now: there is no host to ask here") {
		t.Errorf("got %v", err)
	}
}

// TestArgumentsAreNotChanged: the same frozen tuple may be passed by many
// goroutines, and a builtin that gets durations must not write them into it.
func TestArgumentsAreNotChanged(t *testing.T) {
	args := starlark.Tuple{starlark.String("50ms")}
	fn := find(t, builtins.Times, "parse_duration").Bind(builtins.Times, nil)
	if _, err := fn.CallInternal(new(starlark.Thread), args, nil); err != nil {
		t.Fatal(err)
	}
	if args[0] != starlark.String("50ms") {
		t.Errorf("the arguments became %v", args)
	}
}

func TestObject(t *testing.T) {
	list := starlark.NewList(nil)
	one := builtins.NewObject("ctx", "ctx", starlark.StringDict{"b": list, "a": starlark.None})
	two := one.With("aa", starlark.True).With("b", starlark.False)
	if got, want := strings.Join(two.AttrNames(), " "), "a aa b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(one.AttrNames(), " "), "a b"; got != want {
		t.Errorf("With changed the original: got %s, want %s", got, want)
	}
	for o, want := range map[*builtins.Object]starlark.Value{one: list, two: starlark.False} {
		if got, err := o.Attr("b"); err != nil || got != want {
			t.Errorf("b = %v, %v, want %v", got, err, want)
		}
	}
	if err := list.Append(starlark.None); err == nil {
		t.Error("attributes are not frozen")
	}
}

func TestFromPlain(t *testing.T) {
	plain := map[string]any{
		"b": []any{nil, true, int64(1), 2.0, "s", []byte("x")}, "a": time.Unix(0, 0), "c": time.Minute,
	}
	v, err := builtins.FromPlain(plain)
	want := `{"a": 1970-01-01 00:00:00 +0000 UTC, "b": [None, True, 1, 2.0, "s", b"x"], "c": 1m0s}`
	if err != nil || v.String() != want {
		t.Errorf("got %v, %v, want %s", v, err, want)
	}
	back, err := builtins.ToPlain(v)
	plain["a"] = time.Unix(0, 0).UTC()
	if err != nil || !reflect.DeepEqual(back, any(plain)) {
		t.Errorf("back it is %v, %v", back, err)
	}
	v, err = builtins.StructFromPlain([]any{map[string]any{"b": map[string]any{"x": int64(1)}, "a": nil}})
	if want := `[struct(a = None, b = struct(x = 1))]`; err != nil || v.String() != want {
		t.Errorf("got %v, %v, want %s", v, err, want)
	}
	if _, err := builtins.FromPlain([]any{int32(1)}); err == nil || err.Error() != "the host answered with a int32, which is no plain data" {
		t.Errorf("got %v", err)
	}
}

// TestImports keeps the machine, and all that knows it, out of the builtins.
func TestImports(t *testing.T) {
	pkg, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/starmcp/starmcp/"
	for _, name := range pkg.Imports {
		switch {
		case name == "os", name == "net", name == "syscall", name == "unsafe", name == "reflect",
			strings.HasPrefix(name, "os/"), strings.HasPrefix(name, "net/") && name != "net/url":
			t.Errorf("builtins imports %s", name)
		case strings.HasPrefix(name, module) && path.Dir(name) != module+"builtins":
			t.Errorf("builtins imports %s", name)
		}
	}
}

func BenchmarkPureCall(b *testing.B) {
	thread := new(starlark.Thread)
	fn := find(b, builtins.Math, "sqrt").Bind(builtins.Math, nil)
	args := starlark.Tuple{starlark.Float(2)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn.CallInternal(thread, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStruct(b *testing.B) {
	thread := new(starlark.Thread)
	fn := builtins.Struct.Value().(*starlark.Builtin)
	kwargs := []starlark.Tuple{{starlark.String("mount"), starlark.String("/")}, {starlark.String("size"), starlark.MakeInt(1)}, {starlark.String("free"), starlark.MakeInt(1)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn.CallInternal(thread, nil, kwargs); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEffect(b *testing.B) {
	thread := new(starlark.Thread)
	data := []byte("0.20 0.18 0.12 1/80 11206\n")
	fn := find(b, builtins.FS, "read").Bind(builtins.FS, func(*starlark.Thread, *builtins.Func, string, map[string]any) (any, error) {
		return data, nil
	})
	args := starlark.Tuple{starlark.String("/proc/loadavg")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn.CallInternal(thread, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}

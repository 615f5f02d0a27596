package builtins_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/starmcp/starmcp/builtins"
	libmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var update = flag.Bool("update", false, "write the golden files anew")

func allModules() []*builtins.Module {
	return slices.Concat(builtins.Pure(), builtins.Context())
}

func TestEverythingIsDocumented(t *testing.T) {
	sentence := func(what, doc string) {
		t.Helper()
		if doc == "" || !strings.HasSuffix(strings.TrimRight(doc, `"`), ".") {
			t.Errorf("%s needs a full sentence, not %q", what, doc)
		}
	}
	for _, m := range allModules() {
		sentence(m.Name, m.Doc)
		for _, c := range m.Consts {
			sentence(m.Name+"."+c.Name, c.Doc)
		}
		for _, s := range m.Shapes {
			sentence(s.Name, s.Doc)
			for _, a := range s.Attrs {
				sentence(s.Name+": "+a.Name, a.Doc)
			}
		}
		for _, f := range m.Funcs {
			name := f.FullName(m)
			sentence(name, f.Doc)
			sentence(name+" returns", f.Returns)
			if f.Example.Code == "" || f.Example.Result == "" {
				t.Errorf("%s has no example", name)
			}
			if (f.Call == nil) == (f.Effect == nil) {
				t.Errorf("%s needs either Call or Effect", name)
			}
			for _, p := range f.Params {
				sentence(name+": "+p.Name, p.Doc)
			}
		}
	}
}

// TestExamples runs the examples of pure functions. Those of effects must at
// least be calls that their builtins accept.
func TestExamples(t *testing.T) {
	env := builtins.Predeclared(builtins.Pure())
	var asked string
	ask := func(_ *starlark.Thread, f *builtins.Func, kind string, _ map[string]any) (any, error) {
		asked = kind
		return nil, effectError{"failed", "only asking"}
	}
	env["ctx"] = builtins.NewContext(builtins.Context(), func(string) bool { return true }, ask)
	for _, m := range allModules() {
		for _, f := range m.Funcs {
			v, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), f.FullName(m), f.Example.Code, env)
			switch {
			case f.Effect != nil && asked != f.Effect.Kind:
				t.Errorf("%s did not ask for %s: %v", f.Example.Code, f.Effect.Kind, err)
			case f.Effect == nil && err != nil:
				t.Errorf("%s: %v", f.Example.Code, err)
			case f.Effect == nil && v.String() != f.Example.Result:
				t.Errorf("%s = %s, want %s", f.Example.Code, v, f.Example.Result)
			}
		}
	}
}

// TestLibraryIsCovered sees to it that nothing new in lib/math is missed.
func TestLibraryIsCovered(t *testing.T) {
	if got, want := builtins.Math.Value().(starlark.HasAttrs).AttrNames(), libmath.Module.AttrNames(); !slices.Equal(got, want) {
		t.Errorf("math has %v, want %v", got, want)
	}
}

// TestShapes sees to it that the documented attributes are those there are.
func TestShapes(t *testing.T) {
	env := environment()
	for name, expr := range map[string]string{
		"A time.time":                `time.from_timestamp(0)`,
		"A time.duration":            `time.second`,
		"An entry of ctx.fs.list":    `ctx.fs.list("/dir")[0]`,
		"The result of ctx.fs.stat":  `ctx.fs.stat("/file")`,
		"The result of ctx.fs.usage": `ctx.fs.usage("/")`,
	} {
		v, err := starlark.EvalOptions(new(syntax.FileOptions), new(starlark.Thread), name, expr, env)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Sorted(slices.Values(v.(starlark.HasAttrs).AttrNames()))
		var got []string
		for _, m := range allModules() {
			for _, s := range m.Shapes {
				for _, a := range s.Attrs {
					if s.Name == name {
						attr, _, _ := strings.Cut(a.Name, "(")
						got = append(got, attr)
					}
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is documented with %v, and has %v", name, got, want)
		}
	}
}

// TestCapabilities makes a change of what scripts can use show in the diff of
// testdata/capabilities.json. Run with -update to take it over.
func TestCapabilities(t *testing.T) {
	type param struct {
		Name     string `json:"name"`
		Type     string `json:"type"`
		Default  string `json:"default,omitempty"`
		Optional bool   `json:"optional,omitempty"`
		Variadic bool   `json:"variadic,omitempty"`
		NameOnly bool   `json:"name_only,omitempty"`
	}
	type function struct {
		Name   string   `json:"name"`
		Params []param  `json:"params"`
		Effect string   `json:"effect,omitempty"`
		Needs  []string `json:"needs,omitempty"`
	}
	type module struct {
		Name      string     `json:"name"`
		Functions []function `json:"functions"`
		Values    []string   `json:"values,omitempty"`
	}
	var all []module
	for _, m := range allModules() {
		entry := module{Name: m.Name}
		for _, f := range m.Funcs {
			fn := function{Name: f.FullName(m), Params: []param{}}
			for _, p := range f.Params {
				got := param{Name: p.Name, Type: p.Type.String(), Optional: p.Optional, Variadic: p.Variadic, NameOnly: p.NameOnly}
				if p.Default != nil {
					got.Default = p.Default.String()
				}
				fn.Params = append(fn.Params, got)
			}
			if f.Effect != nil {
				fn.Effect, fn.Needs = f.Effect.Kind, f.Effect.Capabilities
			}
			entry.Functions = append(entry.Functions, fn)
		}
		for _, c := range m.Consts {
			entry.Values = append(entry.Values, c.Name)
		}
		all = append(all, entry)
	}
	got, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/capabilities.json", append(got, '\n'))
}

// greeting is a module with one of everything.
var greeting = &builtins.Module{
	Name: "ctx.greeting",
	Doc:  "Ways to say hello. There are others.",
	Funcs: []*builtins.Func{{
		Name: "hello",
		Doc:  "Greets someone, or several people if there are several, which makes this line long enough to be wrapped.",
		Params: []builtins.Param{
			{Name: "who", Type: builtins.Str, Doc: "Whom to greet."},
			{Name: "others", Type: builtins.Any, Variadic: true, Doc: "Further people."},
			{Name: "mark", Type: builtins.Str, NameOnly: true, Default: starlark.String("!"), Doc: `What ends it, such as "!".`},
			{Name: "delay", Type: builtins.Duration, NameOnly: true, Optional: true, Doc: "How long to wait."},
			{Name: "titles", Type: builtins.Fields, Variadic: true, Doc: "Their titles."},
		},
		Returns: "A string.",
		Example: builtins.Example{Code: `ctx.greeting.hello("you")`, Result: `"Hello, you!"`},
		Effect:  &builtins.Effect{Capabilities: []string{"greet", "read"}, Kind: "greet"},
	}},
	Consts: []builtins.Const{{Name: "word", Doc: "The word.", Value: starlark.String("Hello")}},
	Shapes: []builtins.Shape{{Name: "A greeting", Doc: "What was said.", Attrs: []builtins.Attr{{Name: "loud", Doc: "bool."}}}},
}

func TestReferenceFormats(t *testing.T) {
	var out bytes.Buffer
	for _, write := range []func() error{
		func() error { return builtins.Text(&out, greeting, builtins.Struct) },
		func() error { return builtins.Markdown(&out, greeting, builtins.Struct) },
		func() error { return builtins.Stubs(&out, greeting, builtins.Struct) },
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
		out.WriteString("\n--------\n\n")
	}
	golden(t, "testdata/reference.golden", out.Bytes())
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); go test ./builtins -update takes it over:\n%s", file, diff)
	}
}

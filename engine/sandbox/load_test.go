package sandbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

// printed collects what scripts print while they are loaded.
type printed []string

func (p *printed) print(file string, _ int, text string) { *p = append(*p, file+": "+text) }

// A load in a worker gives the report of a load in this process.
func TestSameReports(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"well":  {"a.star": tool("load(\"lib/l.star\", \"x\")\nprint(\"hello\")\ndef call(ctx):\n    return x\n"), "lib/l.star": "x = 1\n", "a_test.star": "fixture()"},
		"empty": {},
		"broken": {
			"syntax.star": tool("def call(ctx:\n"), "empty.star": " \n", "bug.star": tool("x = {}[1]\ndef call(ctx):\n    return 1\n"),
			"missing.star": tool("load(\"lib/none.star\", \"x\")\ndef call(ctx):\n    return x\n"), "big.star": strings.Repeat("#", 300<<10),
			"schema.star": tool("input_schema = {\"properties\": {\"a\": {\"type\": \"strin\"}}}\ndef call(ctx, a):\n    return 1\n"),
			"cycle.star":  tool("load(\"lib/c.star\", \"c\")\ndef call(ctx):\n    return 1\n"), "lib/c.star": "load(\"lib/d.star\", \"d\")\nc = d\n", "lib/d.star": "load(\"lib/c.star\", \"c\")\nd = c\n",
			"twice.star": tool("name = \"Syntax\"\ndef call(ctx):\n    return 1\n"), "latin.star": "\"\"\"\xe9\"\"\"\n",
		},
		"warnings": {"a.star": tool("name = \"a.b\"\ninput_schema = {\"anyOf\": [{}]}\ndef call(ctx, **kwargs):\n    return 1\n")},
		"needs":    {"a.star": tool("needs = {\"read\": [\"/a\", \"/b\", \"/c\"]}\ndef call(ctx):\n    return 1\n"), "server.star": "grants = {\"read\": [\"/b\"]}\nname = \"ops\"\n"},
		"hidden": {
			"a.star":       tool("load(\"_shared.star\", \"x\")\nload(\"testdata/more.star\", \"y\")\nload(\"a_test.star\", \"z\")\nload(\".hidden/h.star\", \"h\")\ndef call(ctx):\n    return x\n"),
			"_shared.star": "x = 1\n", "testdata/more.star": "load(\"_deeper.star\", \"w\")\ny = w\n", "_deeper.star": "w = 2\n", "a_test.star": "z = 3\n", ".hidden/h.star": "h = 4\n",
			"b.star": tool("load(\"_none.star\", \"x\")\ndef call(ctx):\n    return x\n"),
		},
		"only": {"a.star": tool("def call(ctx):\n    return 1\n"), "b.star": tool("needs = {\"read\": [\"/z\"]}\ndef call(ctx):\n    return 1\n")},
	} {
		var only []string
		if name == "only" {
			only = []string{"a"}
		}
		for _, assume := range []bool{false, true} {
			var here, there printed
			granted, _ := new(world).With(engine.Needs{"read": {"/a"}}, "test")
			want := engine.Load(mapFS(files), engine.Options{Policy: granted, AssumeGranted: assume, Only: only, Print: here.print, Modules: []*builtins.Module{evil}})
			got, err := sandbox.Load(t.Context(), mapFS(files), sandbox.LoadOptions{
				Grants:        []sandbox.Grant{{Needs: engine.Needs{"read": {"/a"}}, Source: "test"}},
				AssumeGranted: assume, Only: only, Print: there.print,
			})
			if err != nil {
				t.Fatal(err)
			}
			compareReports(t, name, want, got)
			if !slices.Equal(here, there) {
				t.Errorf("%s: printed %q, want %q", name, there, here)
			}
		}
	}
}

func compareReports(t *testing.T, name string, want *engine.Report, got *sandbox.Report) {
	t.Helper()
	for _, part := range []struct {
		name      string
		want, got any
	}{
		{"problems", want.Problems, got.Problems},
		{"warnings", want.Warnings, got.Warnings},
		{"files", want.Files, got.Files},
		{"skipped", want.Skipped, got.Skipped},
		{"a table", want.Table != nil, got.Image != nil},
	} {
		if diff := cmp.Diff(part.want, part.got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, %s: %s", name, part.name, diff)
		}
	}
	if want.Table == nil || got.Image == nil {
		return
	}
	image, err := want.Table.Image()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(image, got.Image, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// Links are followed in this process, which a worker could not.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755), os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("..data/a.star", tool("def call(ctx):\n    return 1\n"))
	write("real/b.star", tool("def call(ctx):\n    return 2\n"))
	for _, link := range [][2]string{{"..data/a.star", "a.star"}, {"real", "again"}, {"none.star", "gone.star"}, {"real/b.star", "c.star"}, {"/", "outside"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Skip(err)
		}
	}
	got, err := sandbox.Load(t.Context(), os.DirFS(dir), sandbox.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	compareReports(t, "links", engine.Load(os.DirFS(dir), engine.Options{}), got)
	if len(got.Skipped) == 0 {
		t.Error("nothing was skipped")
	}
}

func TestUnreadable(t *testing.T) {
	got, err := sandbox.Load(t.Context(), os.DirFS(filepath.Join(t.TempDir(), "none")), sandbox.LoadOptions{})
	if err != nil || len(got.Problems) != 1 || got.Problems[0].File != "." {
		t.Errorf("%+v, %v", got, err)
	}
}

// A file that does not end, or ends its loader, is a problem among the others.
func TestCulprits(t *testing.T) {
	others := map[string]string{
		"syntax.star": tool("def call(ctx:\n"), "bug.star": tool("x = {}[1]\ndef call(ctx):\n    return 1\n"),
		"call.star": tool(""), "well.star": tool("def call(ctx):\n    return 1\n"),
		"loads.star": tool("load(\"lib/l.star\", \"x\")\ndef call(ctx):\n    return 1\n"), "lib/l.star": "x = 1\n",
	}
	for _, c := range []struct{ name, body, message string }{
		{"spins", "evil.spin()", "loading this file did not end within 2s"},
		{"dives", "evil.dive()", "loading this file nested deeper than a stack of 64 MiB holds"},
		{"hogs", "evil.hog()", "loading this file used more than 256 MiB of memory"},
		{"exits", "evil.exit()", "loading this file ended the process that does it: "},
		{"says", "evil.say(\"not a frame, and rather long\")", "loading this file broke the process that does it: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if race && c.name == "hogs" {
				t.Skip("the race detector takes memory of its own")
			}
			t.Parallel()
			files := mapFS(others)
			files["culprit.star"] = &fstest.MapFile{Data: []byte(tool(c.body + "\ndef call(ctx):\n    return 1\n"))}
			report, err := sandbox.Load(t.Context(), files, sandbox.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var at []string
			for _, p := range report.Problems {
				at = append(at, p.File)
				if p.File == "culprit.star" && !strings.HasPrefix(p.Message, c.message) {
					t.Error(p.Message)
				}
			}
			if want := []string{"bug.star", "call.star", "culprit.star", "syntax.star"}; !slices.Equal(at, want) || report.Image != nil {
				t.Errorf("problems in %q, want them in %q:\n%v", at, want, report.Problems)
			}
		})
	}
}

// Of several that do not end at once, each is found.
func TestManyCulprits(t *testing.T) {
	report, err := sandbox.Load(t.Context(), mapFS(map[string]string{
		"a.star": tool("evil.exit()\n"), "b.star": tool("evil.exit()\n"), "lib/l.star": "evil.exit()\n",
		"well.star": tool("def call(ctx):\n    return 1\n"), "bug.star": tool("x = {}[1]\ndef call(ctx):\n    return 1\n"),
	}), sandbox.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, p := range report.Problems {
		at = append(at, p.File)
	}
	if want := []string{"a.star", "b.star", "bug.star", "lib/l.star"}; !slices.Equal(at, want) {
		t.Errorf("%v", report.Problems)
	}
}

func TestLoadEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the server stops")
	started := false
	_, err := sandbox.Load(ctx, mapFS(map[string]string{"a.star": tool("print(\"here\")\nevil.spin()\n")}), sandbox.LoadOptions{
		Print: func(string, int, string) { started = true; cancel(cause) },
	})
	if err != cause || !started {
		t.Error(err, started)
	}
}

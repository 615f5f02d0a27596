package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/starmcp/starmcp/"

// layers are the packages from the top to the bottom. A package imports only
// what stands on a later line than itself: those on one line do not know each
// other.
var layers = [][]string{
	{"cmd/starmcp"},
	{"engine/mcp", "engine/host", "engine/sandbox"},
	{"engine/host/files", "engine/sandbox/confine"},
	{"engine"},
	{"engine/schema", "engine/schema/argcases", "engine/heap", "builtins"},
	{"builtins/jsontree", "builtins/spell"},
}

// knows lists, for packages outside of the module, who may import them. A name
// that ends in / stands for all below it. What is not here is anybody's.
var knows = map[string][]string{
	"github.com/urfave/cli/v2":               {"cmd/starmcp"},
	"github.com/lmittmann/tint":              {"cmd/starmcp"},
	"golang.org/x/term":                      {"cmd/starmcp"},
	"github.com/santhosh-tekuri/jsonschema/": {"engine/schema"},
	"go.starlark.net/":                       {"engine", "builtins"},
	"golang.org/x/sys/":                      {"cmd/starmcp", "engine/host", "engine/host/files", "engine/sandbox/confine"},
	"os":                                     {"cmd/starmcp", "engine/host", "engine/host/files", "engine/mcp", "engine/sandbox", "engine/sandbox/confine"},
	"os/exec":                                {"engine/host", "engine/sandbox", "engine/sandbox/confine"},
	"os/signal":                              {"cmd/starmcp"},
	"net":                                    {"cmd/starmcp", "engine/mcp", "engine/host"},
	"net/http":                               {"cmd/starmcp", "engine/mcp", "engine/host"},
	"net/netip":                              {"engine/mcp", "engine/host"},
	"syscall":                                {"cmd/starmcp", "engine/host", "engine/host/files", "engine/sandbox", "engine/sandbox/confine"},
}

// TestImportsRunOneWay holds the layers apart.
func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if layer(name) < 0 {
			t.Errorf("%s is in no layer: say in which", name)
		}
		for _, path := range p.Imports {
			if why := forbidden(name, path); why != "" {
				t.Errorf("%s imports %s, which %s", name, path, why)
			}
		}
	}
}

// TestForbiddenImports makes sure that the rules can fail.
func TestForbiddenImports(t *testing.T) {
	for _, test := range []struct {
		name, path string
		forbidden  bool
	}{
		{"cmd/starmcp", module + "engine/mcp", false},
		{"cmd/starmcp", "github.com/urfave/cli/v2", false},
		{"engine/mcp", module + "engine", false},
		{"engine/mcp", "net/http", false},
		{"engine", "go.starlark.net/starlark", false},
		{"engine", "encoding/json", false},
		{"engine", module + "engine", true},
		{"engine", module + "engine/mcp", true},
		{"engine", module + "engine/host", true},
		{"engine", "os", true},
		{"engine", "net/http", true},
		{"engine", "github.com/urfave/cli/v2", true},
		{"engine/mcp", module + "engine/host", true},
		{"engine/host", module + "engine/mcp", true},
		{"engine/mcp", module + "cmd/starmcp", true},
		{"engine/mcp", "go.starlark.net/starlark", true},
		{"engine/mcp", "github.com/lmittmann/tint", true},
		{"engine/schema", "go.starlark.net/syntax", true},
		{"engine/schema", module + "builtins", true},
		{"builtins", module + "engine/schema", true},
		{"builtins", "net", true},
		{"builtins", "os/exec", true},
		{"builtins/jsontree", "go.starlark.net/starlark", true},
		{"builtins/jsontree", module + "builtins", true},
	} {
		if got := forbidden(test.name, test.path) != ""; got != test.forbidden {
			t.Errorf("%s may not import %s: %t, want %t", test.name, test.path, got, test.forbidden)
		}
	}
}

// forbidden says why a package may not import another one, or "".
func forbidden(name, path string) string {
	if ours, ok := strings.CutPrefix(path, module); ok {
		if layer(ours) <= layer(name) {
			return "is not below it"
		}
		return ""
	}
	if may, restricted := importers(path); restricted && !slices.Contains(may, name) {
		return "is for " + strings.Join(may, " and ") + " alone"
	}
	return ""
}

func layer(name string) int {
	return slices.IndexFunc(layers, func(names []string) bool { return slices.Contains(names, name) })
}

// importers returns who may import a package from outside of the module.
func importers(path string) (may []string, restricted bool) {
	for rule, names := range knows {
		if rule == path || strings.HasSuffix(rule, "/") && strings.HasPrefix(path, rule) {
			return names, true
		}
	}
	return nil, false
}

// A listedPackage is what "go list" tells of a package.
type listedPackage struct {
	ImportPath string
	Imports    []string
}

// packages returns the module's packages that are not there for tests alone.
func packages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var list []listedPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

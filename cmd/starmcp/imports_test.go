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
	{"engine/mcp", "engine/host"},
	{"engine/host/files"},
	{"engine"},
	{"engine/schema", "engine/schema/argcases", "builtins"},
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
	"golang.org/x/sys/":                      {"cmd/starmcp", "engine/host", "engine/host/files"},
	"os":                                     {"cmd/starmcp", "engine/host", "engine/host/files", "engine/mcp"},
	"os/exec":                                {"engine/host"},
	"os/signal":                              {"cmd/starmcp"},
	"net":                                    {"cmd/starmcp", "engine/mcp", "engine/host"},
	"net/http":                               {"cmd/starmcp", "engine/mcp", "engine/host"},
	"net/netip":                              {"engine/mcp", "engine/host"},
	"syscall":                                {"cmd/starmcp", "engine/host", "engine/host/files"},
}

// TestImportsRunOneWay holds the layers apart.
func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		level := layer(name)
		if level < 0 {
			t.Errorf("%s is in no layer: say in which", name)
		}
		for _, path := range p.Imports {
			if ours, ok := strings.CutPrefix(path, module); ok {
				if layer(ours) <= level {
					t.Errorf("%s imports %s, which is not below it", name, ours)
				}
				continue
			}
			if may, restricted := importers(path); restricted && !slices.Contains(may, name) {
				t.Errorf("%s imports %s, which is for %s alone", name, path, strings.Join(may, " and "))
			}
		}
	}
}

// TestImportRulesBite makes sure that each rule is about something.
func TestImportRulesBite(t *testing.T) {
	used := make(map[string]bool)
	for _, p := range packages(t) {
		for _, path := range p.Imports {
			for rule := range knows {
				if rule == path || strings.HasSuffix(rule, "/") && strings.HasPrefix(path, rule) {
					used[rule] = true
				}
			}
		}
	}
	for _, path := range []string{"github.com/urfave/cli/v2", "github.com/lmittmann/tint", "github.com/santhosh-tekuri/jsonschema/", "go.starlark.net/", "net/http", "os"} {
		if !used[path] {
			t.Errorf("nobody imports %s: is the rule about it misspelt?", path)
		}
	}
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

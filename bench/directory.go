package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// greetSource is the tool in Starlark.
//
//go:embed tools/greet.star
var greetSource []byte

// writeTools makes dir a directory of that many tools for starmcp, greet among
// them.
func writeTools(dir string, tools int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, toolName+".star"), greetSource, 0o644); err != nil {
		return err
	}
	for _, f := range fillers(tools) {
		if err := os.WriteFile(filepath.Join(dir, f.name+".star"), fillerSource(f), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func fillerSource(f filler) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `%q

input_schema = {
    "properties": {
        "path": {"type": "string", "description": %q},
        "limit": {"type": "integer", "description": %q},
    },
}

def call(ctx, path = None, limit = None):
    return None
`, f.description, pathDescription, limitDescription)
	return b.Bytes()
}

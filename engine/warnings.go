package engine

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"
)

// maxHostName is how long a tool's name may be for hosts that hold to what
// their models take, in letters.
const maxHostName = 64

// warnings tells what MCP allows and well-known hosts reject or mishandle, and
// which tools have no fixtures.
func (l *loader) warnings() Problems {
	var out Problems
	for _, t := range l.tools {
		f := &file{path: t.File, text: l.program.files[t.File].text, syntax: l.program.files[t.File].syntax}
		l.program.watch.work(f, func() { f.warn(t) })
		if fixtures := fixturesOf(t.File); !l.sources.has(fixtures) {
			f.addf(syntax.Position{}, "write "+fixtures, "the tool has no fixtures")
		}
		out = append(out, f.problems...)
	}
	return out.settle()
}

func fixturesOf(toolFile string) string { return strings.TrimSuffix(toolFile, ".star") + "_test.star" }

func (f *file) warn(t *Tool) {
	f.warnName(t.Descriptor.Name)
	if t.input != nil {
		for _, w := range t.input.Warnings() {
			f.addAt("input_schema", w.Pointer, w.Hint, "%s", w.Message)
		}
	}
	if t.output != nil {
		for _, w := range t.output.Warnings() {
			f.addAt("output_schema", w.Pointer, w.Hint, "%s", w.Message)
		}
	}
}

func (f *file) warnName(name string) {
	pos := f.namePosition()
	if strings.Contains(name, ".") {
		f.addf(pos, "use letters, digits, _ and -", "several hosts reject names with a dot, such as %q", name)
	}
	if len(name) > maxHostName {
		f.addf(pos, fmt.Sprintf("keep to %d letters", maxHostName), "several hosts reject names over %d letters, and this one has %d", maxHostName, len(name))
	}
}

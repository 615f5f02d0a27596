package builtins

import (
	"fmt"
	"io"
	"strings"
)

// A Topic documents a kind of file by the globals that have a meaning in it.
type Topic struct {
	Name     string // as readers ask for it: "tool"
	Doc      string // first sentence: what such a file is for
	Globals  []Global
	Sections []Section
	Modules  []*Module // functions that belong to the topic
}

// A Global documents one global of a file.
type Global struct {
	Name    string
	Type    string // of its value: "string"
	Doc     string
	Keys    []Attr // of a dict that has known ones
	Example string // Starlark that sets it
}

// A Section is what else there is to know.
type Section struct {
	Title string
	Doc   string
	Items []Attr
}

// Names returns the names of the topic's globals.
func (t *Topic) Names() []string {
	names := make([]string, len(t.Globals))
	for i, g := range t.Globals {
		names[i] = g.Name
	}
	return names
}

// Text writes the topic for a terminal.
func (t *Topic) Text(w io.Writer) error {
	var p printer
	p.line(t.Name)
	p.wrap("    ", t.Doc)
	for _, g := range t.Globals {
		p.line("")
		p.line(g.Name + " (" + g.Type + ")")
		p.wrap("    ", g.Doc)
		for _, k := range g.Keys {
			p.item("    ", fmt.Sprintf("%q: %s", k.Name, k.Doc))
		}
		for line := range strings.Lines(g.Example) {
			p.line("        " + strings.TrimSuffix(line, "\n"))
		}
	}
	for _, s := range t.Sections {
		p.line("")
		p.line(s.Title)
		p.wrap("    ", s.Doc)
		for _, item := range s.Items {
			p.item("    ", item.Name+": "+item.Doc)
		}
	}
	if err := p.writeTo(w); err != nil || len(t.Modules) == 0 {
		return err
	}
	return Text(afterBlank{w}, t.Modules...)
}

// Markdown writes the topic for a documentation site.
func (t *Topic) Markdown(w io.Writer) error {
	var p printer
	p.line("## " + t.Name)
	p.line("")
	p.line(t.Doc)
	for _, g := range t.Globals {
		p.line("")
		p.line("### " + g.Name)
		p.line("")
		p.line("A " + g.Type + ". " + g.Doc)
		p.line("")
		for _, k := range g.Keys {
			p.line(fmt.Sprintf("- `%q`: %s", k.Name, k.Doc))
		}
		if len(g.Keys) > 0 {
			p.line("")
		}
		p.line("```python")
		p.line(g.Example)
		p.line("```")
	}
	for _, s := range t.Sections {
		p.line("")
		p.line("### " + s.Title)
		p.line("")
		p.line(s.Doc)
		if len(s.Items) > 0 {
			p.line("")
		}
		for _, item := range s.Items {
			p.line("- " + item.Name + ": " + item.Doc)
		}
	}
	if err := p.writeTo(w); err != nil || len(t.Modules) == 0 {
		return err
	}
	return Markdown(afterBlank{w}, t.Modules...)
}

// afterBlank puts an empty line before what is written, which is at once.
type afterBlank struct{ io.Writer }

func (w afterBlank) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(append([]byte{'\n'}, text...))
	return max(n-1, 0), err
}

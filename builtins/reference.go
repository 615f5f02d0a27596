package builtins

import (
	"fmt"
	"io"
	"strings"

	"go.starlark.net/starlark"
)

// Text writes the reference of modules for a terminal.
func Text(w io.Writer, modules ...*Module) error {
	var p printer
	for i, m := range modules {
		if i > 0 {
			p.line("")
		}
		p.line(m.Name)
		p.wrap("    ", m.Doc)
		for _, f := range m.Funcs {
			p.line("")
			p.line(f.Signature(m))
			p.wrap("    ", f.Doc)
			for _, param := range f.Params {
				p.item("    ", fmt.Sprintf("%s (%s): %s", param.Name, param.describe(), param.Doc))
			}
			p.item("    ", "Returns: "+f.Returns)
			p.needs("    ", f)
			p.line("    >>> " + f.Example.Code)
			p.line("    " + f.Example.Result)
		}
		for _, c := range m.Consts {
			p.line("")
			p.line(m.Name + "." + c.Name)
			p.wrap("    ", c.Doc)
		}
		for _, s := range m.Shapes {
			p.line("")
			p.line(s.Name)
			p.wrap("    ", s.Doc)
			for _, a := range s.Attrs {
				p.item("    ", "."+a.Name+": "+a.Doc)
			}
		}
	}
	return p.writeTo(w)
}

// Markdown writes the reference of modules for a documentation site.
func Markdown(w io.Writer, modules ...*Module) error {
	var p printer
	for i, m := range modules {
		if i > 0 {
			p.line("")
		}
		p.line("## " + m.Name)
		p.line("")
		p.line(m.Doc)
		for _, f := range m.Funcs {
			p.markdownFunc(m, f)
		}
		if len(m.Consts) > 0 {
			p.line("")
			p.line("### Values of " + m.Name)
			p.line("")
		}
		for _, c := range m.Consts {
			p.line(fmt.Sprintf("- `%s.%s`: %s", m.Name, c.Name, c.Doc))
		}
		for _, s := range m.Shapes {
			p.line("")
			p.line("### " + s.Name)
			p.line("")
			p.line(s.Doc)
			p.line("")
			for _, a := range s.Attrs {
				p.line(fmt.Sprintf("- `.%s`: %s", a.Name, a.Doc))
			}
		}
	}
	return p.writeTo(w)
}

func (p *printer) markdownFunc(m *Module, f *Func) {
	p.line("")
	p.line("### " + f.FullName(m))
	p.line("")
	p.line("    " + f.Signature(m))
	p.line("")
	p.line(f.Doc)
	p.line("")
	for _, param := range f.Params {
		p.line(fmt.Sprintf("- `%s` (%s): %s", param.Name, param.describe(), param.Doc))
	}
	p.line("- Returns: " + f.Returns)
	p.needs("- ", f)
	p.line("")
	p.line("```python")
	p.line(">>> " + f.Example.Code)
	p.line(f.Example.Result)
	p.line("```")
}

// Stubs writes Python declarations of modules, for editors that complete
// Starlark by them. Parts of ctx are classes inside of it.
func Stubs(w io.Writer, modules ...*Module) error {
	var p printer
	p.line("# What starmcp's scripts can use. Made by: starmcp doc --format stubs")
	p.line("from typing import Any, Callable, Iterable")
	var ctx bool
	for _, m := range modules {
		p.line("")
		p.line("")
		if part, ok := strings.CutPrefix(m.Name, "ctx."); ok {
			if !ctx {
				p.line("class ctx:")
			}
			ctx = true
			p.stub("    ", part, m)
			continue
		}
		ctx = m.Name == "ctx"
		p.stub("", m.Name, m)
	}
	return p.writeTo(w)
}

func (p *printer) stub(indent, name string, m *Module) {
	if f := m.function(); f != nil {
		p.stubFunc(indent, name, f)
		return
	}
	p.line(indent + "class " + name + ":")
	p.docstring(indent+"    ", m.Doc)
	for _, c := range m.Consts {
		p.line("")
		p.line(indent + "    " + c.Name + ": Any")
		p.docstring(indent+"    ", c.Doc)
	}
	for _, f := range m.Funcs {
		p.line("")
		p.line(indent + "    @staticmethod")
		p.stubFunc(indent+"    ", f.Name, f)
	}
}

func (p *printer) stubFunc(indent, name string, f *Func) {
	p.line(indent + "def " + name + "(" + parameters(f, pythonTypes) + "):")
	lines := []string{f.Doc}
	for _, param := range f.Params {
		lines = append(lines, param.Name+": "+param.Doc)
	}
	p.docstring(indent+"    ", append(lines, "Returns: "+f.Returns)...)
}

var pythonTypes = map[Type]string{
	Any:      "Any",
	Str:      "str",
	Bytes:    "bytes",
	Data:     "bytes | str",
	Int:      "int",
	Size:     "int",
	Number:   "int | float",
	Bool:     "bool",
	Callable: "Callable",
	Dict:     "dict",
	Iterable: "Iterable",
	Duration: "Any",
	Time:     "Any",
}

// Signature shows how the function is called: json.encode(x, *, indent = None).
func (f *Func) Signature(m *Module) string {
	return f.FullName(m) + "(" + parameters(f, nil) + ")"
}

// parameters lists a function's parameters as its definition would, with their
// types where there are names for them.
func parameters(f *Func, types map[Type]string) string {
	var list []string
	named := false // what follows must be given by name
	for _, p := range f.Params {
		item := p.Name
		switch {
		case p.Variadic && p.Type == Fields:
			item = "**" + item
		case p.Variadic:
			item, named = "*"+item, true
		case p.NameOnly && !named:
			list, named = append(list, "*"), true
		}
		if t := types[p.Type]; t != "" && !p.Variadic {
			item += ": " + t
		}
		switch {
		case p.Default != nil:
			item += " = " + p.Default.String()
		case p.Optional:
			item += " = " + starlark.None.String()
		}
		list = append(list, item)
	}
	return strings.Join(list, ", ")
}

// describe says in words what an argument must be.
func (p *Param) describe() string {
	words := p.Type.String()
	switch {
	case p.Variadic && p.Type == Fields:
		return "any further named arguments"
	case p.Variadic:
		return "any further arguments"
	case p.Optional:
		words += ", optional"
	case p.Default != nil:
		words += ", default " + p.Default.String()
	}
	if p.NameOnly {
		words += ", by name"
	}
	return words
}

// A printer collects the lines of a reference.
type printer struct{ strings.Builder }

func (p *printer) line(s string) {
	p.WriteString(s)
	p.WriteByte('\n')
}

// wrap writes text in lines of up to 80 columns, each indented.
func (p *printer) wrap(indent, text string) { p.hang(indent, indent, text) }

// item is wrap for an entry of a list: the lines after the first are indented
// more.
func (p *printer) item(indent, text string) { p.hang(indent, indent+"  ", text) }

func (p *printer) hang(first, indent, text string) {
	const width = 80
	line := first
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			p.line(line)
			line = indent + word
		}
	}
	p.line(line)
}

func (p *printer) needs(indent string, f *Func) {
	if f.Effect != nil && len(f.Effect.Capabilities) > 0 {
		p.line(indent + "Needs: " + strings.Join(f.Effect.Capabilities, " or "))
	}
}

// docstring writes a Python doc string of these lines.
func (p *printer) docstring(indent string, lines ...string) {
	escape := strings.NewReplacer(`\`, `\\`, `"""`, `\"\"\"`)
	for i, line := range lines {
		lines[i] = indent + escape.Replace(line)
	}
	text := strings.Join(lines, "\n")[len(indent):]
	if strings.HasSuffix(text, `"`) {
		text += " "
	}
	p.line(indent + `"""` + text + `"""`)
}

func (p *printer) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.String())
	return err
}

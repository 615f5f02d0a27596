package engine

import (
	"bytes"
	"errors"
	"sync"

	"go.starlark.net/starlark"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/engine/schema"
)

// An Image is a table in a form that can leave the process: what [Load] made of
// the files, as plain data. [Image.Open] makes a table of it that gives the same
// answers.
type Image struct {
	Identity Identity
	Files    []FileImage // what the tools are made from, and what that loads; sorted by path
	Tools    []ToolImage // sorted by name
}

// A FileImage is one compiled file.
type FileImage struct {
	Path    string
	Text    []byte            // the source: backtraces show lines of it
	Program []byte            // compiled, for this version of the interpreter
	Loads   map[string]string // paths, by the names in load statements
}

// A ToolImage is one tool, without what can be made from its file.
type ToolImage struct {
	File        string
	Descriptor  Descriptor
	Needs       Needs
	Coverage    []Coverage
	Annotations Annotations
	Limits      Limits
}

// Image returns the table as plain data.
func (t *Table) Image() (*Image, error) {
	image := &Image{Identity: t.catalogue.Identity}
	for _, path := range t.program.sortedPaths() {
		f := t.program.files[path]
		encoded, err := f.encode()
		if err != nil {
			return nil, err
		}
		loads := make(map[string]string, len(f.loads))
		for _, l := range f.loads {
			loads[l.name] = l.path
		}
		image.Files = append(image.Files, FileImage{Path: path, Text: f.text, Program: encoded, Loads: loads})
	}
	for _, tool := range t.tools {
		image.Tools = append(image.Tools, ToolImage{
			File: tool.File, Descriptor: *tool.Descriptor, Needs: tool.Needs,
			Coverage: tool.Coverage, Annotations: tool.Annotations, Limits: tool.Limits,
		})
	}
	return image, nil
}

func (f *file) encode() ([]byte, error) {
	if f.encoded != nil {
		return f.encoded, nil
	}
	var b bytes.Buffer
	if err := f.program.Write(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Open makes a table of an image. A tool's file is evaluated when the tool is
// called for the first time, so that opening a large table costs little. Of the
// options, Policy gives the tools their hosts, without another review; Modules
// must be those that the image was made with.
func (image *Image) Open(opts Options) *Table {
	w := newWorkshop(opts)
	if opts.Policy == nil {
		opts.Policy = noPolicy{}
	}
	p := newProgram(w.predeclared, opts.Print)
	for _, fi := range image.Files {
		f := &file{path: fi.Path, text: fi.Text, encoded: fi.Program}
		for name, path := range fi.Loads {
			f.loads = append(f.loads, load{name: name, path: path})
		}
		p.add(f)
	}
	tools := make([]*Tool, len(image.Tools))
	for i := range image.Tools {
		tools[i] = image.Tools[i].open(p, w, opts.Policy)
	}
	w.scale.settle()
	return newTable(tools, image.Identity, p)
}

func (ti *ToolImage) open(p *program, w *workshop, policy Policy) *Tool {
	t := ti.tool()
	t.host = policy.Host(ti.Descriptor.Name, ti.Needs)
	w.finish(t, p)
	t.prepare = sync.OnceValue(func() error {
		defer t.scale.settle() // what the file holds is there for all calls
		return t.evaluate(p)
	})
	return t
}

// evaluate makes the tool whole from its file, which was found to be without
// problems before: one that comes up now is starmcp's own.
func (t *Tool) evaluate(p *program) error {
	f := p.files[t.File]
	if f == nil {
		return errors.New("the image lacks " + t.File)
	}
	p.evaluate(f)
	if f.globals == nil {
		return f.problems
	}
	call, ok := f.globals["call"].(*starlark.Function)
	if !ok {
		return errors.New(t.File + " defines no call any more")
	}
	t.call = call
	return t.compileSchemas()
}

// compileSchemas compiles the schemas as they were published, which implies
// nothing that it did not imply before.
func (t *Tool) compileSchemas() error {
	doc, err := jsontree.Parse(t.Descriptor.InputSchema, jsontree.Caps{})
	if err != nil {
		return err
	}
	var faults []schema.Fault
	if t.input, faults = schema.CompileInput(doc); t.input == nil {
		return errors.New(faults[0].Message)
	}
	if t.Descriptor.OutputSchema == nil {
		return nil
	}
	if doc, err = jsontree.Parse(t.Descriptor.OutputSchema, jsontree.Caps{}); err != nil {
		return err
	}
	if t.output, faults = schema.CompileOutput(doc); t.output == nil {
		return errors.New(faults[0].Message)
	}
	return nil
}

// ready makes sure that the tool is whole; otherwise it returns the outcome of
// a call of it.
func (t *Tool) ready() *Outcome {
	if t.prepare == nil {
		return nil
	}
	if err := t.prepare(); err != nil {
		out := (&call{tool: t}).fault(ClassPanic, err)
		return &out
	}
	return nil
}

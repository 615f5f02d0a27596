package engine

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/starmcp/starmcp/builtins/jsontree"
	"github.com/starmcp/starmcp/builtins/spell"
	"github.com/starmcp/starmcp/engine/schema"
)

// toolName is what MCP allows as a tool's name.
// Source: docs/specification/2026-07-28/server/tools, "Tool Names".
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// newTool makes a tool from its evaluated file. Problems are added to the file;
// the tool is only of use when there are none.
func newTool(f *file, policy Policy, opts Options) *Tool {
	f.checkTypos(toolGlobals)
	t := &Tool{File: f.path}
	t.Needs = f.needs("needs")
	t.Limits = f.lowered(DefaultLimits)
	t.Annotations = f.annotations(t.Needs)
	t.Descriptor = f.descriptor(t.Annotations)
	t.setInput(f)
	t.setOutput(f)
	t.setCall(f)
	t.setNeeds(f, policy, opts)
	return t
}

// nameInText returns the tool's name as its text tells it, before anything is
// evaluated. told is false where the name is computed, and may be any.
func (f *file) nameInText() (name string, told bool) {
	if name, ok := f.literalString("name"); ok {
		return name, true
	}
	if f.syntax != nil {
		_, value := f.assignment("name")
		return f.stem(), value == nil
	}
	return f.stem(), true
}

// stem is the name of a tool that does not name itself.
func (f *file) stem() string { return strings.TrimSuffix(path.Base(f.path), ".star") }

func (f *file) descriptor(annotations Annotations) *Descriptor {
	d := &Descriptor{
		Name:        f.str("name"),
		Title:       f.str("title"),
		Description: f.str("description"),
		Annotations: encode(annotations),
	}
	if d.Name == "" {
		d.Name = f.stem()
	}
	if !toolName.MatchString(d.Name) {
		f.addAt("name", "", `set name = "..." to letters, digits, _ . or -`, "%q cannot be the name of a tool: want 1 to 128 of A-Z a-z 0-9 _ . -", d.Name)
	}
	if v := f.globals["description"]; v == nil || v == starlark.None {
		d.Description = f.docString()
	}
	if strings.TrimSpace(d.Description) == "" {
		f.addf(syntax.Position{Line: 1, Col: 1}, `begin the file with a doc string: """What it tells, and when to use it."""`,
			"the tool has no description, which agents choose it by")
	}
	if doc, ok := f.document("icons", "list"); ok {
		d.Icons = f.icons(doc)
	}
	if doc, ok := f.document("meta", "dict"); ok {
		d.Meta = doc.AppendJSON(nil)
	}
	return d
}

// icons checks that each icon is an object with a src, as MCP wants it.
func (f *file) icons(doc jsontree.Node) json.RawMessage {
	for i, icon := range doc.Items {
		src, ok := icon.Get("src")
		if icon.Kind != jsontree.Object || !ok || src.Kind != jsontree.String {
			f.addAt("icons", fmt.Sprintf("/%d", i), `write {"src": "https://...", "mimeType": "image/png"}`, "an icon is a dict with at least a src")
		}
	}
	return doc.AppendJSON(nil)
}

// docString is the string that the file begins with, without its indentation.
func (f *file) docString() string {
	if len(f.syntax.Stmts) == 0 {
		return ""
	}
	stmt, ok := f.syntax.Stmts[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	lit, ok := stmt.X.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return ""
	}
	return dedent(lit.Value.(string))
}

// dedent removes the indentation that the lines after the first share.
func dedent(doc string) string {
	lines := strings.Split(doc, "\n")
	indent := -1
	for _, line := range lines[1:] {
		if trimmed := strings.TrimLeft(line, " \t"); trimmed != "" && (indent < 0 || len(line)-len(trimmed) < indent) {
			indent = len(line) - len(trimmed)
		}
	}
	for i, line := range lines[1:] {
		lines[i+1] = strings.TrimRight(line[min(max(indent, 0), len(line)):], " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (t *Tool) setInput(f *file) {
	doc, ok := f.document("input_schema", "dict")
	if v, given := f.globals["input_schema"]; !ok && given && v != starlark.None {
		return // told by document: without the schema there is nothing to compare call with
	}
	if !ok {
		doc = jsontree.Node{Kind: jsontree.Object}
	}
	var faults []schema.Fault
	t.input, faults = schema.CompileInput(doc)
	f.addSchemaFaults("input_schema", faults)
	if t.input == nil {
		return
	}
	t.Descriptor.InputSchema = t.input.Published()
	for _, h := range t.input.Headers() {
		t.Descriptor.Headers = append(t.Descriptor.Headers, HeaderParam(h))
	}
}

func (t *Tool) setOutput(f *file) {
	doc, ok := f.document("output_schema", "dict")
	if !ok {
		return
	}
	var faults []schema.Fault
	t.output, faults = schema.CompileOutput(doc)
	f.addSchemaFaults("output_schema", faults)
	if t.output != nil {
		t.Descriptor.OutputSchema = t.output.Published()
		t.Descriptor.ObjectOutput = t.output.ObjectOnly()
	}
}

func (f *file) addSchemaFaults(global string, faults []schema.Fault) {
	for _, fault := range faults {
		f.addAt(global, fault.Pointer, fault.Hint, "%s", fault.Message)
	}
}

func (t *Tool) setCall(f *file) {
	v, ok := f.globals["call"]
	if !ok {
		f.addf(syntax.Position{Line: 1, Col: 1}, "define call(ctx, ...), or move the file under lib/ if others load it", "the file defines no call, so it is no tool")
		return
	}
	fn, ok := v.(*starlark.Function)
	if !ok {
		f.addAt("call", "", "", "call: got %s, want a function", v.Type())
		return
	}
	t.call = fn
	if t.input != nil {
		f.checkParameters(fn, t.input)
	}
}

// checkParameters compares what call takes with what the input schema lets through.
func (f *file) checkParameters(call *starlark.Function, input *schema.Input) {
	params := parametersOf(call)
	if len(params) == 0 {
		f.addf(call.Position(), "write def call(ctx, ...)", "call takes no ctx, which it is always given first")
		return
	}
	takes := make(map[string]bool)
	for _, p := range params[1:] {
		takes[p.name] = true
	}
	properties := input.Properties()
	var known []string
	for _, property := range properties {
		known = append(known, property.Name)
		pointer := "/properties/" + escapePointer(property.Name)
		switch {
		case takes[property.Name]:
		case property.Name == params[0].name:
			f.addAt("input_schema", pointer, "rename the property, or call's first parameter", "the property %q has the name of call's first parameter, which is the context", property.Name)
		case call.HasKwargs():
		case !isIdentifier(property.Name):
			f.addAt("input_schema", pointer, "add **kwargs to call: it arrives there", "the property %q cannot be a parameter's name", property.Name)
		default:
			f.addAt("input_schema", pointer, nearOr(property.Name, unmatched(params[1:], properties), "add it as a parameter, or **kwargs"), "call does not take the property %q", property.Name)
		}
	}
	if input.Open() && !call.HasKwargs() {
		f.addf(call.Position(), `add **kwargs to call, or "additionalProperties": False to the schema`, "the input schema lets other properties through, and call does not take them")
	}
	for _, p := range params[1:] {
		i := slices.Index(known, p.name)
		switch {
		case i < 0 && !input.Open():
			f.addf(p.pos, nearOr(p.name, known, "add it to the properties of input_schema"), "the parameter %q is not a property of the input schema", p.name)
		case i >= 0 && !properties[i].Required && !properties[i].Default && !p.optional:
			f.addf(p.pos, fmt.Sprintf(`write %s = None, give the property a "default", or list it under "required"`, p.name), "the parameter %q can be missing: its property is optional and has no default", p.name)
		}
	}
}

type parameter struct {
	name     string
	pos      syntax.Position
	optional bool
}

// parametersOf returns the named parameters of a function.
func parametersOf(fn *starlark.Function) []parameter {
	n := fn.NumParams()
	if fn.HasKwargs() {
		n--
	}
	if fn.HasVarargs() {
		n--
	}
	params := make([]parameter, n)
	for i := range params {
		name, pos := fn.Param(i)
		params[i] = parameter{name, pos, fn.ParamDefault(i) != nil}
	}
	return params
}

// unmatched returns the names of parameters that are no property.
func unmatched(params []parameter, properties []schema.Property) []string {
	var names []string
	for _, p := range params {
		if !slices.ContainsFunc(properties, func(q schema.Property) bool { return q.Name == p.name }) {
			names = append(names, p.name)
		}
	}
	return names
}

func nearOr(name string, candidates []string, otherwise string) string {
	if near := spell.Nearest(name, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reserved words cannot be the names of parameters.
// Source: the Starlark language specification, "Lexical elements".
var reserved = strings.Fields(`and break continue def elif else for if in lambda load not or pass return while
	as assert async await class del except finally from global import is nonlocal raise try with yield`)

func isIdentifier(name string) bool {
	return identifier.MatchString(name) && !slices.Contains(reserved, name)
}

func escapePointer(step string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
}

// setNeeds checks the tool's needs against the policy and gets its host.
func (t *Tool) setNeeds(f *file, policy Policy, opts Options) {
	for _, e := range policy.Review(t.Needs) {
		if e.Ungranted && opts.AssumeGranted {
			continue
		}
		f.addNeedErrors("needs", []NeedError{e})
	}
	t.Coverage = policy.Coverage(t.Needs)
	if t.Descriptor != nil {
		t.host = policy.Host(t.Descriptor.Name, t.Needs)
	}
}

func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only for values of our own making
	}
	return text
}

package engine

import (
	"fmt"
	"slices"

	"github.com/starmcp/starmcp/builtins"
)

// Reference returns what the globals of tool files and of server.star mean. It
// is from this data that loading knows them. capabilities are the keys of needs
// and grants, which depend on the policy.
func Reference(capabilities []builtins.Attr) []*builtins.Topic {
	topics := []*builtins.Topic{}
	for _, t := range []builtins.Topic{toolFile, serverStar} {
		t.Globals = slices.Clone(t.Globals)
		for i := range t.Globals {
			if g := &t.Globals[i]; g.Name == "needs" || g.Name == "grants" {
				g.Keys = capabilities
			}
		}
		topics = append(topics, &t)
	}
	return topics
}

// The globals that mean something, by the file that they stand in.
var (
	toolGlobals   = toolFile.Names()
	serverGlobals = serverStar.Names()
	hintNames     = namesOf(annotationKeys)
)

func namesOf(attrs []builtins.Attr) []string {
	names := make([]string, len(attrs))
	for i, a := range attrs {
		names[i] = a.Name
	}
	return names
}

var toolFile = builtins.Topic{
	Name: "tool",
	Doc: "What a tool file is made of. Each .star file is one tool, but for server.star, files whose name begins with . or _ or ends in _test.star, " +
		"and files below a folder called lib or testdata. Its globals say what clients are told of the tool and what it may do. " +
		"It needs a call and a description, the others are optional; further globals are the file's own. " +
		"The language is Starlark with sets and without recursion: https://github.com/bazelbuild/starlark/blob/master/spec.md.",
	Globals: []builtins.Global{
		{Name: "name", Type: "string", Example: `name = "disk_usage"`,
			Doc: "What clients call the tool by: 1 to 128 of A-Z a-z 0-9 _ . -, and no other tool has it, whatever the case. Without it, the file's name without .star."},
		{Name: "title", Type: "string", Example: `title = "Disk usage"`,
			Doc: "A name for people."},
		{Name: "description", Type: "string", Example: `description = "How full a filesystem is. Use it when something cannot be written."`,
			Doc: "What the tool tells and when to use it: agents choose by it. Without it, the doc string that the file begins with."},
		{Name: "icons", Type: "list", Example: `icons = [{"src": "https://example.com/disk.png", "mimeType": "image/png", "sizes": ["48x48"]}]`,
			Doc: "Pictures for clients to show: dicts with src, and perhaps mimeType, sizes and theme."},
		{Name: "meta", Type: "dict", Example: `meta = {"example.com/team": "storage"}`,
			Doc: "What clients get as the tool's _meta, as it is."},
		{Name: "input_schema", Type: "dict", Example: inputExample,
			Doc: "JSON Schema of the arguments: 2020-12, or draft-07 where $schema says so. It is checked before call runs, and defaults are filled in. " +
				"At the top, \"type\": \"object\" is implied, and \"additionalProperties\": False where the schema says nothing of it and combines no others. " +
				"Values of properties with \"writeOnly\": True appear in no message and no log. Without a schema there are no arguments."},
		{Name: "output_schema", Type: "dict", Example: `output_schema = {"type": "object", "properties": {"used_percent": {"type": "integer"}}, "required": ["used_percent"]}`,
			Doc: "JSON Schema of what call returns. A result that breaks it is a mistake in the script and never sent."},
		{Name: "annotations", Type: "dict", Keys: annotationKeys, Example: `annotations = {"idempotentHint": True}`,
			Doc: "MCP's hints about the tool. What can be known from needs is derived, and a hint that contradicts them is a problem."},
		{Name: "needs", Type: "dict", Example: `needs = {"stat": ["/"]}`,
			Doc: "What the tool may touch: lists of patterns by capability. The operator has to grant them, and a call can do that and no more. " +
				"A path stands for itself and for what is below it; * stands for one name in it, or a part of one. Without needs, ctx has no part that reaches the machine."},
		{Name: "limits", Type: "dict", Keys: limitDocs, Example: `limits = {"timeout": "2s", "memory": "16MiB"}`,
			Doc: "What one call may use. A tool can lower the server's limits and not raise them. The agent is told which limit was reached."},
		{Name: "call", Type: "function", Example: "def call(ctx, path):\n    usage = ctx.fs.usage(path)\n    return {\"used_percent\": usage.used * 100 // usage.total}",
			Doc: "Runs the tool. ctx comes first and is the way to the world; the arguments come by name, validated. " +
				"Each property of input_schema is a parameter, with a default of its own where it can be missing. " +
				"**kwargs takes those that cannot be a parameter's name, and those that the schema lets through."},
	},
	Sections: []builtins.Section{
		{Title: "What call may return", Doc: "To all clients, as far as their revision of MCP has it:", Items: []builtins.Attr{
			{Name: "a string, or bytes", Doc: "a text block."},
			{Name: "a dict, list, tuple, set, struct, number or bool", Doc: "structured content, and a line of text that says what is in it. " +
				"It holds what JSON can: no NaN, no cycles, no functions, string keys, nesting up to 100. Times are written as in RFC 3339, durations as in Go."},
			{Name: "None", Doc: "no content."},
			{Name: "what the functions of result give", Doc: "images, links, several blocks, a summary of your own, an error."},
		}},
		{Title: "Sharing code", Doc: `load("lib/units.star", "human_bytes") takes globals from another file, by its path from the directory's root. ` +
			"Loading touches nothing: there is no ctx, and what a file computes is frozen when it has been loaded."},
	},
	Modules: builtins.Language(),
}

const inputExample = `input_schema = {
    "properties": {
        "path": {"type": "string", "description": "A path on the filesystem.", "default": "/"},
    },
}`

var annotationKeys = []builtins.Attr{
	{Name: "title", Doc: "string, a name for people; the global title is what newer clients show."},
	{Name: "readOnlyHint", Doc: "bool, derived: the tool changes nothing."},
	{Name: "destructiveHint", Doc: "bool, of a tool that changes something: it can destroy."},
	{Name: "idempotentHint", Doc: "bool, of a tool that changes something: calling it again changes no more."},
	{Name: "openWorldHint", Doc: "bool, derived: the tool reaches beyond this machine."},
}

var limitDocs = []builtins.Attr{
	{Name: "timeout", Doc: fmt.Sprintf("from start to result: \"500ms\", a time.duration or a number of seconds. The server's is %s.", DefaultLimits.Timeout)},
	{Name: "steps", Doc: fmt.Sprintf("int, steps of the interpreter. The server's is %d.", DefaultLimits.Steps)},
	{Name: "memory", Doc: fmt.Sprintf("what the script holds at once: \"16MiB\" or a number of bytes. The server's is %s; it holds with --isolation=process.", formatBytes(DefaultLimits.Memory))},
	{Name: "output", Doc: fmt.Sprintf("of the result: \"64KiB\" or a number of bytes. Text is cut there, other results are refused. The server's is %s.", formatBytes(int64(DefaultLimits.Output)))},
}

var serverStar = builtins.Topic{
	Name: "server",
	Doc: "What server.star, at the root of the directory, can say. The file and all of its globals are optional. " +
		"Globals that guard a server and that this version does not act upon, such as authenticate, are a problem and never ignored.",
	Globals: []builtins.Global{
		{Name: "name", Type: "string", Example: `name = "machine-diagnostics"`,
			Doc: "What the server calls itself to clients. Without it, starmcp."},
		{Name: "title", Type: "string", Example: `title = "Machine diagnostics"`,
			Doc: "A name for people."},
		{Name: "version", Type: "string", Example: `version = "1.2.0"`,
			Doc: "The version of the tools, which clients are told. Without it, that of starmcp."},
		{Name: "instructions", Type: "string", Example: `instructions = "All of these only look. Start with disk_usage."`,
			Doc: "What agents should know of the tools together."},
		{Name: "tools", Type: "list", Example: `tools = ["disk_*"]`,
			Doc: "Names of the tools that are loaded at all, where * is any text. Without it, all. --only chooses among those."},
		{Name: "grants", Type: "dict", Example: `grants = {"stat": ["/"]}`,
			Doc: "What tools may need, in the form of needs. The --allow- flags add to it. A need beyond the grants is a problem, and nothing is served."},
	},
}

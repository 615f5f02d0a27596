package builtins

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// FS is ctx.fs. Its effects, and the answers that a host gives to them:
//
//	fs.read   {path string, binary bool, tail_bytes int64?, max_bytes int64?}
//	          []byte, text or not
//	fs.list   {path string}
//	          []any of map[string]any{name string, type string}, sorted by name
//	fs.glob   {pattern string}
//	          []any of string: paths, sorted
//	fs.stat   {path string}
//	          map[string]any{path string, type string, size int64, mode int64,
//	          mtime time.Time, uid int64, gid int64, target string or nil}
//	fs.usage  {path string}
//	          map[string]any{total, free, available, used, inodes, inodes_free},
//	          all int64
//
// A type is "file", "dir", "symlink" or "other". lines is fs.read at the seam.
// exists is fs.stat there: an error of the kind not_found is False.
var FS = &Module{
	Name: "ctx.fs",
	Doc:  "Files, read-only. Paths are absolute. A tool reaches what its needs name under read and stat; more is an error of the kind denied.",
	Funcs: []*Func{
		{
			Name: "read",
			Doc: "Reads a file. What is not UTF-8 in it becomes U+FFFD. A file over the server's cap is an error of the kind too_big: " +
				"ask for its end or its beginning then (tail_bytes, max_bytes). Devices, sockets and pipes are refused.",
			Params: []Param{
				pathParam, tailParam, headParam,
				{Name: "binary", Type: Bool, NameOnly: true, Default: starlark.False, Doc: "True gives bytes, unchanged."},
			},
			Returns: "A string, or bytes.",
			Example: Example{`ctx.fs.read("/proc/loadavg")`, `"0.20 0.18 0.12 1/80 11206\n"`},
			Effect:  &Effect{Capabilities: needsRead, Kind: "fs.read", Answer: readAnswer},
		},
		{
			Name:    "lines",
			Doc:     "Reads a text file as read does, and splits it. With tail_bytes the first line may lack its beginning.",
			Params:  []Param{pathParam, tailParam, headParam},
			Returns: "A list of strings, without their line ends.",
			Example: Example{`ctx.fs.lines("/etc/hosts")`, `["127.0.0.1 localhost", "::1 localhost"]`},
			Effect:  &Effect{Capabilities: needsRead, Kind: "fs.read", Fixed: map[string]any{"binary": false}, Answer: linesAnswer},
		},
		{
			Name:    "list",
			Doc:     "Lists a folder, sorted by name.",
			Params:  []Param{pathParam},
			Returns: "A list of struct(name, type).",
			Example: Example{`ctx.fs.list("/sys/class/net")`, `[struct(name = "eth0", type = "symlink"), struct(name = "lo", type = "symlink")]`},
			Effect:  &Effect{Capabilities: needsRead, Kind: "fs.list", Answer: structAnswer},
		},
		{
			Name:    "glob",
			Doc:     "Finds the paths that a pattern matches, sorted. None is no error.",
			Params:  []Param{{Name: "pattern", Type: Str, Doc: "An absolute path with * for any part of one name."}},
			Returns: "A list of strings.",
			Example: Example{`ctx.fs.glob("/proc/*/stat")`, `["/proc/1/stat", "/proc/11206/stat"]`},
			Effect:  &Effect{Capabilities: needsRead, Kind: "fs.glob"},
		},
		{
			Name:    "stat",
			Doc:     "Tells about a file or folder without opening it. A symbolic link is followed; target says where it leads.",
			Params:  []Param{pathParam},
			Returns: "A struct, described below.",
			Example: Example{`ctx.fs.stat("/var/log/syslog").size`, `482113`},
			Effect:  &Effect{Capabilities: needsStat, Kind: "fs.stat", Answer: structAnswer},
		},
		{
			Name:    "exists",
			Doc:     "Tells whether there is something at a path. A symbolic link that leads nowhere is nothing.",
			Params:  []Param{pathParam},
			Returns: "A bool.",
			Example: Example{`ctx.fs.exists("/run/reboot-required")`, `False`},
			Effect:  &Effect{Capabilities: needsStat, Kind: "fs.stat", Answer: existsAnswer},
		},
		{
			Name:    "usage",
			Doc:     "Tells how full the filesystem that holds a path is.",
			Params:  []Param{pathParam},
			Returns: "A struct, described below.",
			Example: Example{`ctx.fs.usage("/").available`, `21474836480`},
			Effect:  &Effect{Capabilities: needsStat, Kind: "fs.usage", Answer: structAnswer},
		},
	},
	Shapes: []Shape{
		{
			Name: "An entry of ctx.fs.list",
			Doc:  "A struct.",
			Attrs: []Attr{
				{"name", "string, without the folder."},
				{"type", `string: "file", "dir", "symlink" or "other".`},
			},
		},
		{
			Name: "The result of ctx.fs.stat",
			Doc:  "A struct.",
			Attrs: []Attr{
				{"path", "string, as it was asked for."},
				{"type", `string: "file", "dir" or "other".`},
				{"size", "int, in bytes. Files that the system makes up, as below /proc, say 0."},
				{"mode", `int, the permission bits: "%o" % mode gives "644".`},
				{"mtime", "time.time of the last change, in UTC."},
				{"uid", "int, the owner."},
				{"gid", "int, the group."},
				{"target", "string, what the symbolic link says; None where it is none."},
			},
		},
		{
			Name: "The result of ctx.fs.usage",
			Doc:  "A struct.",
			Attrs: []Attr{
				{"total", "int, bytes."},
				{"free", "int, bytes not in use, those kept for the administrator among them."},
				{"available", "int, bytes that anyone can still use."},
				{"used", "int, bytes in use: total - free."},
				{"inodes", "int, how many files it can hold; 0 where it has no limit."},
				{"inodes_free", "int, how many more."},
			},
		},
	},
}

// What can be read can be asked about, too.
var (
	needsRead = []string{"read"}
	needsStat = []string{"stat", "read"}
)

var (
	pathParam = Param{Name: "path", Type: Str, Doc: "An absolute path."}
	tailParam = Param{Name: "tail_bytes", Type: Size, Optional: true, NameOnly: true, Doc: "Read only this many bytes, the last ones. 0 is no limit."}
	headParam = Param{Name: "max_bytes", Type: Size, Optional: true, NameOnly: true, Doc: "Read only this many bytes, the first ones. Not together with tail_bytes."}
)

func readAnswer(args []starlark.Value, answer any, err error) (starlark.Value, error) {
	data, err := fileData(answer, err)
	if err != nil {
		return nil, err
	}
	if args[3] == starlark.True {
		return starlark.Bytes(data), nil
	}
	return starlark.String(fileText(args, data)), nil
}

func linesAnswer(args []starlark.Value, answer any, err error) (starlark.Value, error) {
	data, err := fileData(answer, err)
	if err != nil {
		return nil, err
	}
	lines := []starlark.Value{}
	for line := range strings.Lines(fileText(args, data)) {
		line = strings.TrimSuffix(line, "\n")
		lines = append(lines, starlark.String(strings.TrimSuffix(line, "\r")))
	}
	return starlark.NewList(lines), nil
}

func structAnswer(_ []starlark.Value, answer any, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return StructFromPlain(answer)
}

func existsAnswer(_ []starlark.Value, _ any, err error) (starlark.Value, error) {
	var failed failedEffect
	if errors.As(err, &failed) && failed.FailedEffect() == "not_found" {
		return starlark.False, nil
	}
	if err != nil {
		return nil, err
	}
	return starlark.True, nil
}

func fileData(answer any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	data, ok := answer.([]byte)
	if !ok {
		return nil, fmt.Errorf("the host answered fs.read with a %T, want []byte", answer)
	}
	return data, nil
}

// fileText makes text of what was read. A character that tail_bytes or
// max_bytes cut in two is left out: it was not wrong in the file.
func fileText(args []starlark.Value, data []byte) string {
	if args[1] != nil {
		for i := 0; i < utf8.UTFMax-1 && len(data) > 0 && !utf8.RuneStart(data[0]); i++ {
			data = data[1:]
		}
	}
	if args[2] != nil {
		data = data[:len(data)-cutRune(data)]
	}
	return toText(data)
}

// cutRune returns how many bytes at the end begin a character without ending it.
func cutRune(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if tail := data[len(data)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// toText returns data as a string in which each byte that is not UTF-8 is
// U+FFFD.
func toText(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	return string([]rune(string(data)))
}

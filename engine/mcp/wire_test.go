package mcp

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine"
)

var update = flag.Bool("update", false, "write what was answered into the transcripts")

// TestWire plays the transcripts in testdata/wire. Each is a txtar archive: tools
// in Starlark, if any (else the tools of fake), and then the sections "both",
// "http" and "stdio", which say what carries them. Line by line:
//
//	# text          a comment
//	>> Name: value  a header of the next message; the first of a name replaces
//	                what a client would send, no value takes it away
//	>> VERB         the method of the next message, POST otherwise
//	> text          sends a message; in Go quotes, if it begins with one
//	< STATUS text   the answer; 202 alone: none
//	<< Name: value  a header of that answer
//
// Over HTTP a message gets the headers that clients send: those that repeat a
// modern message, or the revision that an initialize before it agreed on.
// $META stands for the _meta of a modern request, $SERVER for that of a result.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("../../testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts:", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { playFile(t, file) })
	}
}

func playFile(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`(?m)^-- (\S+) --\n`).FindAllStringSubmatchIndex(string(data), -1)
	if parts == nil {
		t.Fatal("no sections")
	}
	tools := fstest.MapFS{}
	played := string(data[:parts[0][0]])
	for i, part := range parts {
		end := len(data)
		if i+1 < len(parts) {
			end = parts[i+1][0]
		}
		name, text := string(data[part[2]:part[3]]), string(data[part[1]:end])
		switch name {
		case "both", "http", "stdio":
			text = playSection(t, newService(t, tools), name, text)
		default:
			tools[name] = &fstest.MapFile{Data: []byte(text)}
		}
		played += string(data[part[0]:part[1]]) + text
	}
	if *update {
		if err := os.WriteFile(file, []byte(played), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newService returns what serves the tools, or the fake where there are none.
func newService(t *testing.T, tools fstest.MapFS) engine.Service {
	if len(tools) == 0 {
		return newFake()
	}
	report := engine.Load(tools, engine.Options{})
	if report.Table == nil {
		t.Fatal(report.Problems)
	}
	return report.Table
}

// playSection plays a section over what carries it, and returns it as it was
// answered.
func playSection(t *testing.T, service engine.Service, carrier, section string) string {
	want := section
	check := func(t *testing.T, got string, settles bool) {
		if *update && settles {
			want = got
		} else if got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	if carrier != "stdio" {
		t.Run("http", func(t *testing.T) { check(t, newWeb(t, service).play(t, want), true) })
	}
	if carrier != "http" {
		t.Run("stdio", func(t *testing.T) { check(t, newLine(t, service).play(t, want), carrier == "stdio") })
	}
	return want
}

// TestTranscriptsKeepTheEras holds, of all answers in the transcripts, what the
// revisions say of every answer, so that no update of one lets it slip.
func TestTranscriptsKeepTheEras(t *testing.T) {
	files, err := filepath.Glob("../../testdata/wire/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	results := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		modern := false
		for line := range strings.Lines(string(data)) {
			switch mark, rest, _ := strings.Cut(line, " "); mark {
			case ">":
				modern = strings.Contains(sent(rest), metaVersion)
			case "<":
				result := strings.Contains(rest, `"result":`)
				if result {
					results++
				}
				for _, part := range []string{`"result":{"resultType":"complete",`, `"_meta":$SERVER}}`} {
					if strings.Contains(rest, part) != (result && modern) {
						t.Errorf("%s: want %s in results to modern requests, and in nothing else: %s", filepath.Base(file), part, line)
					}
				}
			}
		}
	}
	if results < 100 {
		t.Errorf("only %d results", results)
	}
}

const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

var (
	serverMeta = regexp.MustCompile(`"_meta":\{"io\.modelcontextprotocol/serverInfo":\{[^}]*\}\}`)
	reference  = regexp.MustCompile(`(reference(?:":"| ))[0-9a-f]{8,16}`)
)

// message returns what a line of a transcript sends.
func sent(line string) string {
	if plain, err := strconv.Unquote(line); err == nil {
		line = plain
	}
	return strings.ReplaceAll(line, "$META", modernMeta)
}

// shown writes an answer as transcripts do.
func shown(answer string) string {
	answer = serverMeta.ReplaceAllString(answer, `"_meta":$$SERVER`)
	answer = reference.ReplaceAllString(strings.TrimSuffix(answer, "\n"), "${1}$$REF")
	return strings.ReplaceAll(answer, "\n", `\n`)
}

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func testCommand() *cli.Command {
	return &cli.Command{Flags: []cli.Flag{
		&cli.BoolFlag{Name: "json"},
		&cli.StringFlag{Name: "listen"},
		&cli.StringSliceFlag{Name: "only"},
	}}
}

func TestArrange(t *testing.T) {
	for _, test := range []struct {
		typed, flags, arguments, err string
	}{
		{"", "", "", ""},
		{"dir", "", "dir", ""},
		{"dir --json", "--json", "dir", ""},
		{"--json dir", "--json", "dir", ""},
		{"-json dir", "-json", "dir", ""},
		{"--json=false dir", "--json=false", "dir", ""},
		{"--listen :1 dir", "--listen=:1", "dir", ""},
		{"dir --listen=:1", "--listen=:1", "dir", ""},
		{"--listen= dir", "--listen=", "dir", ""},
		{"--listen - dir", "--listen=-", "dir", ""},
		{"--listen -1 dir", "--listen=-1", "dir", ""},
		{"--only a --only b,c dir", "--only=a --only=b,c", "dir", ""},
		{"dir key=-5 -", "", "dir key=-5 -", ""},
		{"dir -- --json -x", "", "dir --json -x", ""},
		{"--json -- --", "--json", "--", ""},
		{"--listen", "", "", "--listen needs a value: --listen=VALUE"},
		{"--listen --json", "", "", "--listen needs a value: --listen=VALUE"},
		{"--jsn", "", "", "no flag --jsn (did you mean --json?)"},
		{"--frobnicate=1", "", "", "no flag --frobnicate"},
		{"-j", "", "", "no flag -j"},
		{"dir --help --nonsense", "", "", errHelp.Error()},
		{"-h", "", "", errHelp.Error()},
	} {
		t.Run(test.typed, func(t *testing.T) {
			flags, arguments, err := arrange(testCommand(), strings.Fields(test.typed))
			message := ""
			if err != nil {
				message = err.Error()
			}
			if got := strings.Join(flags, " "); got != test.flags {
				t.Errorf("flags %q, want %q", got, test.flags)
			}
			if got := strings.Join(arguments, " "); got != test.arguments {
				t.Errorf("arguments %q, want %q", got, test.arguments)
			}
			if message != test.err {
				t.Errorf("error %q, want %q", message, test.err)
			}
		})
	}
}

// FuzzArrange checks that no word is lost and none is made up.
func FuzzArrange(f *testing.F) {
	f.Add("dir\n--json\n--listen\n:1\n--\n--json")
	f.Add("--only=a,b\n-\n-5")
	f.Fuzz(func(t *testing.T, typed string) {
		words := strings.Split(typed, "\n")
		flags, arguments, err := arrange(testCommand(), words)
		if err != nil {
			return
		}
		var left []string
		for _, flag := range flags {
			if !strings.HasPrefix(flag, "-") {
				t.Errorf("%q is no flag", flag)
			}
			left = append(left, strings.SplitN(flag, "=", 2)...)
		}
		for _, word := range words {
			if slices.Contains(arguments, word) || word == "--" {
				continue
			}
			if name, value, _ := strings.Cut(word, "="); !slices.Contains(left, word) && (!slices.Contains(left, name) || !slices.Contains(left, value)) {
				t.Errorf("%q is lost: flags %q, arguments %q", word, flags, arguments)
			}
		}
	})
}

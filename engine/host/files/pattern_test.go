//go:build !windows

package files

import (
	"path"
	"strings"
	"testing"
)

func mustParse(t testing.TB, text string) Pattern {
	t.Helper()
	p, err := ParsePattern(text)
	if err != nil {
		t.Fatalf("ParsePattern(%q): %v", text, err)
	}
	return p
}

func TestParsePattern(t *testing.T) {
	for text, want := range map[string]string{
		"/":                            "/",
		"/var/log":                     "/var/log",
		"/var/log/":                    "/var/log",
		"/var//log/./nginx":            "/var/log/nginx",
		"/proc/*/stat":                 "/proc/*/stat",
		"/var/log/*.log":               "/var/log/*.log",
		"/srv/app-*-err.*.log":         "/srv/app-*-err.*.log",
		"/usr/bin/[":                   "/usr/bin/[",
		"/data/..%2f":                  "/data/..%2f",
		"/data/a..b":                   "/data/a..b",
		"/data/with blank/x":           "/data/with blank/x",
		"/proc/1/environ":              "/proc/1/environ",
		"/proc/selfish":                "/proc/selfish",
		strings.Repeat("/a", maxDepth): strings.Repeat("/a", maxDepth),
	} {
		if got := mustParse(t, text).String(); got != want {
			t.Errorf("ParsePattern(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestParsePatternRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "is empty",
		"logs":                             "is not an absolute path",
		"./logs":                           "is not an absolute path",
		"~/logs":                           "is not an absolute path",
		"-":                                "is not an absolute path",
		" /var/log":                        "is not an absolute path",
		"/var/log ":                        "white space",
		"/var/log\n":                       "white space",
		"/var/\tlog":                       "control character",
		"/var/log\x00":                     "NUL",
		"/var/../etc":                      `".."`,
		"/var/log/..":                      `".."`,
		"/..":                              `".."`,
		"/var/**":                          "write /var",
		"/var/**/x.log":                    "write /var",
		"/var/a**":                         "write /var",
		"/**":                              "write /",
		"/proc/self/status":                "/proc/1/status",
		"/proc/thread-self":                "server itself",
		"/dev/stdin":                       "the server's own",
		"/dev/fd/0":                        "the server's own",
		"/proc/*/environ":                  "/proc/1/environ",
		"/proc/1*/mem":                     "/proc/1/mem",
		"/proc/1/task/*/maps":              "never allowed through",
		"/proc/*/task/1/maps":              "never allowed through",
		"/host*/proc/1/environ":            "never allowed through",
		strings.Repeat("/a", maxDepth+1):   "too long",
		"/" + strings.Repeat("a", maxPath): "too long",
	} {
		if _, err := ParsePattern(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParsePattern(%.40q): %v, want an error with %q", text, err, want)
		}
	}
}

// What a pattern allows and what it covers is one question: a path is a need
// without wildcards.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		grant, need string
		want        bool
	}{
		{"/", "/", true},
		{"/", "/etc/passwd", true},
		{"/", "/*/x", true},
		{"/data", "/data", true},
		{"/data", "/data/a/b", true},
		{"/data", "/data2", false},
		{"/data", "/data2/a", false},
		{"/data", "/", false},
		{"/data", "/dat", false},
		{"/data", "/*", false},
		{"/data/a", "/data", false},
		{"/var/log", "/var/log/nginx/*.log", true},
		{"/var/log/*.log", "/var/log/a.log", true},
		{"/var/log/*.log", "/var/log/.log", true},
		{"/var/log/*.log", "/var/log/*.log", true},
		{"/var/log/*.log", "/var/log/app-*.log", true},
		{"/var/log/*.log", "/var/log/a.log.1", false},
		{"/var/log/*.log", "/var/log/nginx/a.log", false},
		{"/var/log/*.log", "/var/log", false},
		{"/var/log/*.log", "/var/log/*", false},
		{"/var/log/app-*.log", "/var/log/*.log", false},
		{"/var/log/*a*b*", "/var/log/xaybz", true},
		{"/var/log/*a*b*", "/var/log/xbyaz", false},
		{"/var/log/*", "/var/log/nginx/access.log", true},
		{"/proc/*/stat", "/proc/1/stat", true},
		{"/proc/*/stat", "/proc/*/stat", true},
		{"/proc/*/stat", "/proc/1*/stat", true},
		{"/proc/*/stat", "/proc/1/status", false},
		{"/proc/*/stat", "/proc/1/task/1/stat", false},
		{"/proc/*/stat", "/proc/stat", false},
		{"/proc/1/stat", "/proc/*/stat", false},
		{"/a/*/c", "/a/b/*", false},
		{"/a/b*", "/a/*b", false},
		{"/data", "/DATA", false},

		{"/proc", "/proc/1/status", true},
		{"/proc", "/proc/1/environ", false},
		{"/", "/proc/1/environ", false},
		{"/proc/1", "/proc/1/environ", false},
		{"/proc/*", "/proc/1/mem", false},
		{"/proc/1/environ", "/proc/1/environ", true},
		{"/proc/1/environ", "/proc/1/environ/x", true},
		{"/proc/1/environ", "/proc/2/environ", false},
		{"/proc", "/proc/1/task/2/maps", false},
		{"/proc/1/task/2/maps", "/proc/1/task/2/maps", true},
		{"/proc/1/map_files", "/proc/1/map_files/1-2", true},
		{"/proc", "/proc/kcore", false},
		{"/proc", "/proc/kmsg", false},
		{"/proc", "/proc/keys", false},
		{"/proc/*", "/proc/keys", false},
		{"/proc/keys", "/proc/keys", true},
		{"/host", "/host/proc/1/environ", false},
		{"/host/proc/1/environ", "/host/proc/1/environ", true},
		{"/srv", "/srv/proc/environ", true},
		{"/srv", "/srv/1/environ", true},
	} {
		grant, need := mustParse(t, c.grant), mustParse(t, c.need)
		if got := grant.Covers(need); got != c.want {
			t.Errorf("%s covers %s: %v, want %v", c.grant, c.need, got, c.want)
		}
	}
}

func TestReach(t *testing.T) {
	s := &scope{"read", []Pattern{mustParse(t, "/proc/*/stat"), mustParse(t, "/data/a")}}
	for path, want := range map[string]bool{
		"/": true, "/proc": true, "/proc/1": true, "/proc/1/stat": true, "/proc/1/status": false,
		"/data": true, "/data/a": true, "/data/a/x": true, "/data/b": false, "/etc": false,
	} {
		names, _ := split(path)
		if got := s.reaches(names); got != want {
			t.Errorf("reaches(%s) = %v, want %v", path, got, want)
		}
	}
}

// A grant covers a need exactly if it allows whatever the need allows. fill and
// below make a path of the need; one made with a character that no pattern can
// hold stands for all that the need allows.
func FuzzCovers(f *testing.F) {
	for _, s := range [][4]string{
		{"/var/log", "/var/log/*.log", "app", "x/y"}, {"/data", "/data2", "", ""}, {"/*a*b", "/*b", "a", ""},
		{"/proc/*", "/proc/1/environ", "", ""}, {"/", "/proc/*/stat", "self", ""}, {"/proc", "/proc/*", "1", "environ"},
		{"/", "/ /", "", ""}, {"/host", "/host/proc/1/environ", "", ""},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, grantText, needText, fill, below string) {
		grant, err := ParsePattern(grantText)
		if err != nil {
			return
		}
		need, err := ParsePattern(needText)
		if err != nil {
			return
		}
		if again, err := ParsePattern(joined(need.names)); err != nil || joined(again.names) != joined(need.names) {
			t.Fatalf("%q is read as %v, %v", need, again, err)
		}
		some, bad := split(strings.ReplaceAll(joined(need.names), "*", strings.ReplaceAll(fill, "/", "")) + "/" + below)
		if bad == nil && grant.Covers(need) && need.allows(some) && !grant.allows(some) {
			t.Errorf("%s covers %s, and does not allow %q", grant, need, show(some))
		}
		typical, bad := split(strings.ReplaceAll(joined(need.names), "*", "\x01"))
		if bad == nil && grant.allows(typical) && need.allows(typical) && !grant.Covers(need) {
			t.Errorf("%s does not cover %s, though it allows %q", grant, need, show(typical))
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("*.log", "a.log")
	f.Add("a*b*c", "abxbc")
	f.Add("*", "")
	f.Add("**a", "aaa")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if strings.ContainsAny(pattern+text, `?[\/`) {
			return
		}
		want, err := path.Match(pattern, text)
		if err != nil {
			return
		}
		if got := match(pattern, text); got != want {
			t.Errorf("match(%q, %q) = %v", pattern, text, got)
		}
	})
}

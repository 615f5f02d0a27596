//go:build linux || darwin

package files_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

func TestReadParts(t *testing.T) { bothWays(t, testReadParts) }

func testReadParts(t *testing.T) {
	dir := tree(t)
	pattern := make([]byte, files.MaxRead+3)
	for i := range pattern {
		pattern[i] = byte(i * 7 >> 3) // no text at all
	}
	write := func(name string, size int) string {
		if err := os.WriteFile(dir+"/data/"+name, pattern[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		return dir + "/data/" + name
	}
	empty, small, full, big := write("empty", 0), write("small", 10), write("full", files.MaxRead), write("big", len(pattern))
	v := view(t, dir+"/data")
	for _, c := range []struct {
		path     string
		part     files.Part
		from, to int // of the pattern
		kind     engine.EffectKind
	}{
		{empty, files.Part{}, 0, 0, ""},
		{empty, files.Part{Last: 5}, 0, 0, ""},
		{empty, files.Part{First: 5}, 0, 0, ""},
		{small, files.Part{}, 0, 10, ""},
		{small, files.Part{First: 4}, 0, 4, ""},
		{small, files.Part{Last: 4}, 6, 10, ""},
		{small, files.Part{First: 10}, 0, 10, ""},
		{small, files.Part{Last: 10}, 0, 10, ""},
		{small, files.Part{First: 11}, 0, 10, ""},
		{small, files.Part{Last: 11}, 0, 10, ""},
		{full, files.Part{}, 0, files.MaxRead, ""},
		{big, files.Part{First: files.MaxRead}, 0, files.MaxRead, ""},
		{big, files.Part{Last: files.MaxRead}, 3, len(pattern), ""},
		{big, files.Part{Last: 5}, len(pattern) - 5, len(pattern), ""},
		{big, files.Part{}, 0, 0, engine.TooBig},
		{small, files.Part{First: files.MaxRead + 1}, 0, 0, engine.TooBig},
		{small, files.Part{Last: files.MaxRead + 1}, 0, 0, engine.TooBig},
		{small, files.Part{First: 1, Last: 1}, 0, 0, engine.Failed},
		{small, files.Part{First: -1}, 0, 0, engine.Failed},
	} {
		got, err := v.Read(t.Context(), c.path, c.part)
		if kindOf(err) != c.kind || !bytes.Equal(got, pattern[c.from:c.to]) {
			t.Errorf("read %s, %+v: %d bytes, %v; want %d", c.path, c.part, len(got), err, c.to-c.from)
		}
		if c.kind == engine.TooBig && !(strings.Contains(err.Error(), "4 MiB") && strings.Contains(err.Error(), "tail_bytes")) {
			t.Errorf("read %s: %v does not say how to go on", c.path, err)
		}
	}
}

// What the kernel makes up says that it has 0 bytes, or 4096.
func TestReadOfUnknownSize(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc and /sys")
	}
	v := view(t, "/proc", "/sys")
	for _, path := range []string{"/proc/version", "/proc/1/status", "/proc/net/dev", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/class/net/lo/mtu"} {
		all, err := v.Read(t.Context(), path, files.Part{})
		if kindOf(err) == engine.NotFound {
			continue
		}
		if err != nil || len(all) < 5 {
			t.Errorf("read %s: %q, %v", path, all, err)
			continue
		}
		first, err := v.Read(t.Context(), path, files.Part{First: 5})
		if err != nil || string(first) != string(all[:5]) {
			t.Errorf("read the beginning of %s: %q, %v; want %q", path, first, err, all[:5])
		}
		last, err := v.Read(t.Context(), path, files.Part{Last: 3})
		if err != nil || len(last) != 3 || last[2] != '\n' {
			t.Errorf("read the end of %s: %q, %v", path, last, err)
		}
	}
}

func TestPermissionDenied(t *testing.T) { bothWays(t, testPermissionDenied) }

func testPermissionDenied(t *testing.T) {
	dir, path := tree(t), ""
	if os.Getuid() != 0 {
		path = dir + "/data/a.txt"
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
	} else if path = "/proc/sys/vm/compact_memory"; runtime.GOOS != "linux" {
		t.Skip("root may read everything")
	}
	_, err := view(t, "/").Read(t.Context(), path, files.Part{})
	if kindOf(err) != engine.Rejected && kindOf(err) != engine.NotFound {
		t.Errorf("read %s: %v", path, err)
	}
}

func TestList(t *testing.T) { bothWays(t, testList) }

func testList(t *testing.T) {
	dir := tree(t)
	symlink(t, "../out", dir+"/data/link")
	symlink(t, "other", dir+"/data/inner")
	if err := syscall.Mkfifo(dir+"/data/fifo", 0o666); err != nil {
		t.Fatal(err)
	}
	v := view(t, dir+"/data", dir+"/out/*.txt")
	got, err := v.List(t.Context(), dir+"/data/")
	want := []files.Entry{
		{"..%2fdata2", "dir"}, {"..v1", "dir"}, {"a.txt", "file"}, {"blank", "dir"}, {"fifo", "other"},
		{"inner", "symlink"}, {"link", "symlink"}, {"other", "dir"}, {"proc", "dir"}, {"sub", "dir"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("list: %v, %v", got, err)
	}
	if got, err := v.List(t.Context(), dir+"/data/inner"); err != nil || !slices.Equal(got, []files.Entry{{"*", "file"}}) {
		t.Errorf("list through a link: %v, %v", got, err)
	}
	for path, kind := range map[string]engine.EffectKind{
		dir + "/data/link": engine.Denied, dir + "/out": engine.Denied, dir: engine.Denied, "/": engine.Denied,
		dir + "/data/a.txt": engine.NotFound, dir + "/data/none": engine.NotFound, dir + "/data/fifo": engine.NotFound,
		"data": engine.Failed,
	} {
		if got, err := v.List(t.Context(), path); kindOf(err) != kind {
			t.Errorf("list %s: %v, %v; want %s", path, got, err, kind)
		}
	}
}

func TestGlob(t *testing.T) { bothWays(t, testGlob) }

func testGlob(t *testing.T) {
	dir := tree(t)
	data := dir + "/data"
	symlink(t, "sub", data+"/inner")
	symlink(t, "../out", data+"/link")
	symlink(t, "nowhere", data+"/dangling")
	v := view(t, data, dir+"/out/sub/b.txt", dir+"/*/secret")
	for pattern, want := range map[string][]string{
		data + "/*.txt":            {"/data/a.txt"},
		data + "/a.txt":            {"/data/a.txt"},
		data + "/none":             nil,
		data + "/none/*":           nil,
		data + "/a.txt/*":          nil,
		data + "/*/b.txt":          {"/data/inner/b.txt", "/data/sub/b.txt"},
		data + "/*/*.txt":          {"/data/inner/b.txt", "/data/sub/b.txt"},
		data + "/link/*":           {"/data/link/secret"}, // it leads out, where no more than that is needed
		data + "/link/*/b.txt":     {"/data/link/sub/b.txt"},
		data + "/d*":               {"/data/dangling"},
		data + "/in*":              {"/data/inner"},
		data + "/..*":              {"/data/..%2fdata2", "/data/..v1"},
		data + "/blank/end /*":     {"/data/blank/end /x.txt"},
		data + "/proc/*/*":         {"/data/proc/1/status"}, // the secrets are not there to be read
		dir + "/*/secret":          {"/data2/secret", "/out/secret"},
		dir + "/d*/secret":         {"/data2/secret"},
		data + "/sub/../*":         {"!failed"},
		data + "/**":               {"!failed"},
		"*.txt":                    {"!failed"},
		dir + "/*":                 {"!denied"},
		dir + "/out/*":             {"!denied"},
		dir + "/*/b.txt":           {"!denied"},
		"/etc/*":                   {"!denied"},
		"/proc/*/environ":          {"!failed"},
		data + "/proc/1/environ":   {"!denied"},
		data + "/proc/1/environ/*": {"!denied"},
	} {
		got, err := v.Glob(t.Context(), pattern)
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], dir)
		}
		if err != nil {
			got = []string{"!" + string(kindOf(err))}
		}
		if !slices.Equal(got, want) {
			t.Errorf("glob %s: %q, %v; want %q", pattern, got, err, want)
		}
	}
}

func TestFoldersOverTheCap(t *testing.T) {
	dir := tree(t)
	for i := range files.MaxEntries + 1 {
		if err := os.Symlink("x", fmt.Sprintf("%s/data/sub/l%05d", dir, i)); err != nil {
			t.Fatal(err)
		}
	}
	v := view(t, dir+"/data")
	if got, err := v.List(t.Context(), dir+"/data/sub"); kindOf(err) != engine.TooBig || !strings.Contains(err.Error(), "ctx.fs.glob") {
		t.Errorf("list: %d entries, %v", len(got), err)
	}
	if got, err := v.Glob(t.Context(), dir+"/data/*/*"); kindOf(err) != engine.TooBig || !strings.Contains(err.Error(), "narrow the pattern") {
		t.Errorf("glob: %d paths, %v", len(got), err)
	}
	if got, err := v.Glob(t.Context(), dir+"/data/sub/l0000*"); err != nil || len(got) != 10 {
		t.Errorf("glob of some: %d paths, %v", len(got), err)
	}
}

func TestStat(t *testing.T) { bothWays(t, testStat) }

func testStat(t *testing.T) {
	dir := tree(t)
	data := dir + "/data"
	symlink(t, "a.txt", data+"/link")
	symlink(t, "link", data+"/link-to-link")
	symlink(t, "../out/secret", data+"/out")
	symlink(t, "nowhere", data+"/dangling")
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(data+"/a.txt", when, when); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data+"/a.txt", 0o640|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	file := files.Info{Type: "file", Size: 6, Mode: 0o4640, Mtime: when, UID: int64(os.Getuid()), GID: int64(os.Getgid())}
	linked, twice := file, file
	linked.Target, twice.Target = "a.txt", "link"

	// Metadata may be seen by either; content only by read.
	for name, v := range map[string]*files.View{
		"read": view(t, data),
		"stat": new(files.Disk).View(nil, patterns(t, []string{data})),
	} {
		for path, want := range map[string]files.Info{"/a.txt": file, "/link": linked, "/link-to-link": twice} {
			if got, err := v.Stat(t.Context(), data+path); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("stat %s with %s: %+v, %v", path, name, got, err)
			}
		}
		for path, kind := range map[string]string{data: "dir", data + "/sub": "dir"} {
			if got, err := v.Stat(t.Context(), path); err != nil || got.Type != kind {
				t.Errorf("stat %s with %s: %+v, %v", path, name, got, err)
			}
		}
		for path, kind := range map[string]engine.EffectKind{
			data + "/out": engine.Denied, dir + "/out": engine.Denied, dir: engine.Denied, "/dev/stdin": engine.Denied,
			data + "/dangling": engine.NotFound, data + "/none": engine.NotFound, data + "/a.txt/x": engine.NotFound,
		} {
			if got, err := v.Stat(t.Context(), path); kindOf(err) != kind {
				t.Errorf("stat %s with %s: %+v, %v; want %s", path, name, got, err, kind)
			}
		}
		_, err := v.Read(t.Context(), data+"/sub/b.txt", files.Part{})
		if (err == nil) != (name == "read") {
			t.Errorf("read with %s: %v", name, err)
		}
	}
}

func TestStatOfOtherTypes(t *testing.T) {
	dir := tree(t)
	if err := syscall.Mkfifo(dir+"/data/fifo", 0o644); err != nil {
		t.Fatal(err)
	}
	v := view(t, "/")
	for _, path := range []string{dir + "/data/fifo", "/dev/null"} {
		if got, err := v.Stat(t.Context(), path); err != nil || got.Type != "other" {
			t.Errorf("stat %s: %+v, %v", path, got, err)
		}
		if _, err := v.Read(t.Context(), path, files.Part{}); kindOf(err) != engine.Failed {
			t.Errorf("read %s: %v", path, err)
		}
	}
}

func TestUsage(t *testing.T) { bothWays(t, testUsage) }

func testUsage(t *testing.T) {
	dir := tree(t)
	v := new(files.Disk).View(nil, patterns(t, []string{dir + "/data"}))
	for _, path := range []string{"/data", "/data/a.txt", "/data/sub"} {
		got, err := v.Usage(t.Context(), dir+path)
		if err != nil || got.Total <= 0 || got.Used != got.Total-got.Free || got.Available > got.Free || got.InodesFree > got.Inodes {
			t.Errorf("usage of %s: %+v, %v", path, got, err)
		}
	}
	for path, kind := range map[string]engine.EffectKind{"/data/none": engine.NotFound, "/out": engine.Denied} {
		if _, err := v.Usage(t.Context(), dir+path); kindOf(err) != kind {
			t.Errorf("usage of %s: %v", path, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	dir := tree(b)
	v := view(b, dir+"/data")
	for b.Loop() {
		if _, err := v.Read(b.Context(), dir+"/data/sub/b.txt", files.Part{}); err != nil {
			b.Fatal(err)
		}
	}
}

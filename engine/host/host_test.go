//go:build !windows

package host_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host"
)

// folder makes a folder with a file, and returns its path without links.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/a.txt", []byte("one\ntwo\xff\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := errors.Join(os.Symlink("a.txt", dir+"/link"), os.Mkdir(dir+"/sub", 0o755), os.Chtimes(dir+"/a.txt", when, when)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The answers have exactly the forms that the builtins expect.
func TestFileEffects(t *testing.T) {
	dir := folder(t)
	stat := map[string]any{
		"path": dir + "/a.txt", "type": "file", "size": int64(9), "mode": int64(0o640),
		"mtime": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "uid": int64(os.Getuid()), "gid": int64(os.Getgid()), "target": nil,
	}
	link := map[string]any{}
	for name, value := range stat {
		link[name] = value
	}
	link["path"], link["target"] = dir+"/link", "a.txt"

	h := granting(t, nil).Host("probe", engine.Needs{"read": {dir}})
	for _, c := range []struct {
		kind string
		args map[string]any
		want any // or the kind of an error
	}{
		{"fs.read", map[string]any{"path": dir + "/a.txt", "binary": false}, []byte("one\ntwo\xff\n")},
		{"fs.read", map[string]any{"path": dir + "/a.txt", "binary": true, "tail_bytes": nil, "max_bytes": nil}, []byte("one\ntwo\xff\n")},
		{"fs.read", map[string]any{"path": dir + "/a.txt", "tail_bytes": int64(2)}, []byte("\xff\n")},
		{"fs.read", map[string]any{"path": dir + "/a.txt", "max_bytes": int64(3)}, []byte("one")},
		{"fs.read", map[string]any{"path": dir + "/none"}, engine.NotFound},
		{"fs.read", map[string]any{"path": dir + "2/a.txt"}, engine.Denied},
		{"fs.read", map[string]any{}, engine.Failed},
		{"fs.list", map[string]any{"path": dir}, []any{
			map[string]any{"name": "a.txt", "type": "file"},
			map[string]any{"name": "link", "type": "symlink"},
			map[string]any{"name": "sub", "type": "dir"},
		}},
		{"fs.list", map[string]any{"path": dir + "/sub"}, []any{}},
		{"fs.list", map[string]any{"path": "/"}, engine.Denied},
		{"fs.glob", map[string]any{"pattern": dir + "/*.txt"}, []any{dir + "/a.txt"}},
		{"fs.glob", map[string]any{"pattern": dir + "/*.none"}, []any{}},
		{"fs.glob", map[string]any{"pattern": "/*"}, engine.Denied},
		{"fs.stat", map[string]any{"path": dir + "/a.txt"}, stat},
		{"fs.stat", map[string]any{"path": dir + "/link"}, link},
		{"fs.stat", map[string]any{"path": dir + "/none"}, engine.NotFound},
		{"fs.usage", map[string]any{"path": dir + "/none"}, engine.NotFound},
		{"fs.erase", map[string]any{"path": dir}, engine.Failed},
	} {
		got, err := h.Perform(t.Context(), engine.Effect{Kind: c.kind, Args: c.args})
		if effect := (*engine.EffectError)(nil); errors.As(err, &effect) {
			if got != nil {
				t.Errorf("%s %v: %v beside an error", c.kind, c.args, got)
			}
			got = effect.Kind
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %v: %v\n%s", c.kind, c.args, err, diff)
		}
	}
}

func TestUsageEffect(t *testing.T) {
	dir := folder(t)
	h := granting(t, nil).Host("probe", engine.Needs{"stat": {dir}})
	got, err := h.Perform(t.Context(), engine.Effect{Kind: "fs.usage", Args: map[string]any{"path": dir}})
	usage, ok := got.(map[string]any)
	if err != nil || !ok {
		t.Fatalf("%v, %v", got, err)
	}
	for _, name := range []string{"total", "free", "available", "used", "inodes", "inodes_free"} {
		if n, ok := usage[name].(int64); !ok || n < 0 {
			t.Errorf("%s is %v", name, usage[name])
		}
	}
	if len(usage) != 6 || usage["used"] != usage["total"].(int64)-usage["free"].(int64) {
		t.Errorf("usage: %v", usage)
	}
}

// What a tool can do follows from its needs alone, reviewed or not.
func TestHostKeepsToNeeds(t *testing.T) {
	dir := folder(t)
	policy := granting(t, engine.Needs{"read": {"/"}, "stat": {"/"}})
	for name, c := range map[string]struct {
		needs      engine.Needs
		read, stat engine.EffectKind
	}{
		"none":      {nil, engine.Denied, engine.Denied},
		"read":      {engine.Needs{"read": {dir}}, "", ""},
		"stat":      {engine.Needs{"stat": {dir}}, engine.Denied, ""},
		"another":   {engine.Needs{"read": {dir + "/b.txt"}}, engine.Denied, engine.Denied},
		"malformed": {engine.Needs{"read": {"", ".", "**"}, "root": {"/"}}, engine.Denied, engine.Denied},
	} {
		h := policy.Host("probe", c.needs)
		for kind, want := range map[string]engine.EffectKind{"fs.read": c.read, "fs.stat": c.stat} {
			_, err := h.Perform(t.Context(), engine.Effect{Kind: kind, Args: map[string]any{"path": dir + "/a.txt"}})
			if effect := (*engine.EffectError)(nil); errors.As(err, &effect) && effect.Kind != want || (err == nil) != (want == "") {
				t.Errorf("%s, %s: %v, want %q", name, kind, err, want)
			}
		}
	}
}

func TestNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := granting(t, nil).Host("probe", nil).Perform(t.Context(), engine.Effect{Kind: "now"})
		if now, ok := got.(time.Time); err != nil || !ok || !now.Equal(time.Now()) || now.Location() != time.UTC {
			t.Errorf("now: %v, %v", got, err)
		}
	})
}

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := granting(t, nil).Host("probe", nil)
		sleep := func(ctx context.Context, d time.Duration) (time.Duration, error) {
			start := time.Now()
			_, err := h.Perform(ctx, engine.Effect{Kind: "sleep", Args: map[string]any{"duration": d}})
			return time.Since(start), err
		}
		if took, err := sleep(t.Context(), time.Minute); took != time.Minute || err != nil {
			t.Errorf("slept %v, %v", took, err)
		}
		if took, err := sleep(t.Context(), -time.Minute); took != 0 || err != nil {
			t.Errorf("slept %v, %v", took, err)
		}
		cause := errors.New("the call is over")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(cause) })
		if took, err := sleep(ctx, time.Hour); took != time.Second || err != cause {
			t.Errorf("slept %v, %v", took, err)
		}
		if took, err := sleep(ctx, 0); took != 0 || err != cause {
			t.Errorf("slept %v after the end, %v", took, err)
		}
	})
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	h := host.New(host.Options{Logger: logger}).Host("probe", nil)
	_, err := h.Perform(t.Context(), engine.Effect{Kind: "log", Args: map[string]any{
		"message": "slow\nlevel=ERROR",
		"fields":  map[string]any{"ms": int64(12), "host": "db1", "raw": []byte("x\xff"), "list": []any{"a", nil}},
	}})
	want := `level=INFO msg="slow\nlevel=ERROR" tool=probe host=db1 list="[a <nil>]" ms=12 raw="x\xff"` + "\n"
	if diff := cmp.Diff(want, out.String()); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	dir := folder(t)
	h := granting(t, nil).Host("probe", engine.Needs{"read": {dir}})
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for _, kind := range []string{"fs.read", "fs.stat", "fs.usage"} {
				if _, err := h.Perform(t.Context(), engine.Effect{Kind: kind, Args: map[string]any{"path": dir + "/link"}}); err != nil {
					t.Errorf("%s: %v", kind, err)
				}
			}
		})
	}
	all.Wait()
}

func TestUnknownEffectSaysWhatThereIs(t *testing.T) {
	_, err := granting(t, nil).Host("probe", nil).Perform(t.Context(), engine.Effect{Kind: "fs.write"})
	if err == nil || !strings.Contains(err.Error(), `"fs.write"`) || !strings.Contains(err.Error(), "fs.read") {
		t.Error(err)
	}
}

func BenchmarkPerformRead(b *testing.B) {
	dir := folder(b)
	h := granting(b, nil).Host("probe", engine.Needs{"read": {dir}})
	effect := engine.Effect{Kind: "fs.read", Args: map[string]any{"path": dir + "/a.txt"}}
	for b.Loop() {
		if _, err := h.Perform(b.Context(), effect); err != nil {
			b.Fatal(err)
		}
	}
}

//go:build linux || darwin

package files_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

// secret is what no test may ever get to see.
const secret = "zebra-crossing"

// tree makes a folder "data" that is granted, and secrets beside it. It returns
// the folder that holds both, by a path without links.
func tree(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "files") // short: sockets' paths must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"data/a.txt":            "inside",
		"data/sub/b.txt":        "inside",
		"data/..v1/conf":        "inside",
		"data/..%2fdata2/x":     "inside",
		"data/other/*":          "inside",
		"data/proc/1/status":    "inside",
		"data2/secret":          secret,
		"out/secret":            secret,
		"out/sub/b.txt":         secret,
		"data/proc/1/environ":   secret,
		"data/proc/keys":        secret,
		"data/blank/end /x.txt": "inside",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func symlink(t testing.TB, said, path string) {
	t.Helper()
	if err := os.Symlink(said, path); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, read ...string) *files.View {
	t.Helper()
	return new(files.Disk).View(patterns(t, read), nil)
}

func patterns(t testing.TB, texts []string) []files.Pattern {
	t.Helper()
	var all []files.Pattern
	for _, text := range texts {
		p, err := files.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func kindOf(err error) engine.EffectKind {
	if e := (*engine.EffectError)(nil); errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// bothWays runs a test with walks that may leap, and with walks that go name by
// name as they do where the system offers no more.
func bothWays(t *testing.T, test func(t *testing.T)) {
	for _, leap := range []bool{true, false} {
		t.Run(fmt.Sprint("leap=", leap), func(t *testing.T) {
			defer files.SetLeap(files.SetLeap(leap))
			test(t)
		})
	}
}

func TestReadStaysInside(t *testing.T) { bothWays(t, testReadStaysInside) }

func testReadStaysInside(t *testing.T) {
	dir := tree(t)
	data, out := dir+"/data", dir+"/out"
	symlink(t, "sub/b.txt", data+"/in")
	symlink(t, data+"/sub/b.txt", data+"/in-absolute")
	symlink(t, "sub", data+"/in-folder")
	symlink(t, "sub/", data+"/in-folder-slash")
	symlink(t, "./sub/.//b.txt", data+"/in-dots")
	symlink(t, "sub/../../data/./a.txt", data+"/out-and-in")
	symlink(t, "..data/conf", data+"/conf")
	symlink(t, "..v1", data+"/..data")
	symlink(t, "..", data+"/up")
	symlink(t, "/", data+"/root")
	symlink(t, "/../../../", data+"/above-root")
	symlink(t, "../out/secret", data+"/relative")
	symlink(t, out+"/secret", data+"/absolute")
	symlink(t, "../out", data+"/folder")
	symlink(t, "in-folder/../../out/secret", data+"/through")
	symlink(t, "../data2/secret", data+"/beside")
	symlink(t, "/etc/passwd", data+"/passwd")
	symlink(t, data+"/a.txt", out+"/back")
	symlink(t, "../out/back", data+"/out-by-link")
	symlink(t, "nowhere", data+"/dangling")
	symlink(t, "loop2", data+"/loop1")
	symlink(t, "loop1", data+"/loop2")
	symlink(t, "loop/x", data+"/loop")
	symlink(t, "a.txt/x", data+"/below-file")
	symlink(t, "a.txt", data+"/n0")
	symlink(t, "../out/secret", data+"/s0")
	for i := range 45 {
		symlink(t, fmt.Sprintf("n%d", i), fmt.Sprintf("%s/n%d", data, i+1))
		symlink(t, fmt.Sprintf("s%d", i), fmt.Sprintf("%s/s%d", data, i+1))
	}
	symlink(t, data, dir+"/granted-link")
	if err := syscall.Mkfifo(data+"/fifo", 0o666); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", data+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	symlink(t, "fifo", data+"/to-fifo")
	symlink(t, "/dev/stdin", data+"/to-stdin")

	v := view(t, data, dir+"/granted-link")
	for _, c := range []struct {
		path string
		kind engine.EffectKind // "": the file is read
		says string            // what the message has to say
	}{
		{data + "/a.txt", "", ""},
		{data + "/", engine.Failed, "is a folder"},
		{data + "//sub/./b.txt/", "", ""},
		{data + "/..%2fdata2/x", "", ""},
		{data + "/other/*", "", ""},
		{data + "/blank/end /x.txt", "", ""},
		{data + "/in", "", ""},
		{data + "/in-absolute", "", ""},
		{data + "/in-folder/b.txt", "", ""},
		{data + "/in-folder-slash/b.txt", "", ""},
		{data + "/in-dots", "", ""},
		{data + "/out-and-in", "", ""},
		{data + "/conf", "", ""},
		{data + "/up/data/a.txt", "", ""},
		{data + "/root" + data + "/a.txt", "", ""},
		{data + "/above-root" + data + "/a.txt", "", ""},
		{data + "/n39", "", ""},
		{data + "/proc/1/status", "", ""},
		{dir + "/granted-link/a.txt", "", ""},

		{dir + "/data2/secret", engine.Denied, `needs = {"read": ["` + dir + `/data2/secret"]}`},
		{out + "/secret", engine.Denied, "(" + data},
		{dir, engine.Denied, dir},
		{"/", engine.Denied, "/ is beyond"},
		{"/etc/passwd", engine.Denied, "/etc/passwd"},
		{data + "/../out/secret", engine.Failed, `".."`},
		{data + "/sub/../../out/secret", engine.Failed, `".."`},
		{data + "/a.txt\x00", engine.Failed, "NUL"},
		{data + "/a.txt\x00/../../out/secret", engine.Failed, "NUL"},
		{"", engine.Failed, "empty"},
		{"-", engine.Failed, "not an absolute path"},
		{"data/a.txt", engine.Failed, "not an absolute path"},
		{"file://" + data + "/a.txt", engine.Failed, "not an absolute path"},
		{data + strings.Repeat("/a", 300), engine.Failed, "too long"},
		{data + "/" + strings.Repeat("a", 300), engine.Failed, "too long"},

		{data + "/relative", engine.Denied, data + "/relative is a symbolic link to ../out/secret: " + out + "/secret is beyond"},
		{data + "/absolute", engine.Denied, `needs = {"read": ["` + out + `/secret"]}`},
		{data + "/folder/secret", engine.Denied, `needs = {"read": ["` + out + `/secret"]}`},
		{data + "/folder", engine.Denied, out},
		{data + "/through", engine.Denied, out + "/secret"},
		{data + "/beside", engine.Denied, dir + "/data2/secret"},
		{data + "/passwd", engine.Denied, `needs = {"read": ["/etc/passwd"]}`},
		{data + "/out-by-link", engine.Denied, out + "/back"},
		{data + "/up/out/secret", engine.Denied, out + "/secret"},
		{data + "/up/../out/secret", engine.Failed, `".."`},
		{data + "/up", engine.Denied, dir + " is beyond"},
		{data + "/root", engine.Denied, "/ is beyond"},
		{data + "/root/etc/passwd", engine.Denied, "/etc/passwd is beyond"},
		{data + "/above-root/etc/passwd", engine.Denied, "/etc/passwd is beyond"},
		{data + "/s30", engine.Denied, out + "/secret"},
		{data + "/s45", engine.Failed, "40 symbolic links"},
		{data + "/n45", engine.Failed, "40 symbolic links"},
		{data + "/loop1", engine.Failed, "symbolic links"},
		{data + "/loop", engine.Failed, "symbolic links"},
		{data + "/dangling", engine.NotFound, data + "/nowhere does not exist"},
		{data + "/below-file", engine.NotFound, "a.txt is not a folder"},
		{data + "/a.txt/x", engine.NotFound, "a.txt is not a folder"},
		{data + "/none/x", engine.NotFound, data + "/none does not exist"},

		{data + "/fifo", engine.Failed, "named pipe"},
		{data + "/to-fifo", engine.Failed, "named pipe"},
		{data + "/socket", engine.Failed, "socket"},
		{data + "/to-stdin", engine.Denied, "the server's own"},
		{"/dev/stdin", engine.Denied, "the server's own"},
		{"/dev/fd/0", engine.Denied, "the server's own"},
		{data + "/proc/1/environ", engine.Denied, "environ"},
		{data + "/proc/keys", engine.Denied, "keys"},
	} {
		got, err := v.Read(t.Context(), c.path, files.Part{})
		if c.kind == "" && (err != nil || string(got) != "inside") {
			t.Errorf("read %q: %q, %v", c.path, got, err)
		} else if kindOf(err) != c.kind || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("read %q: %s error: %v\nwant a %s error that says %q", c.path, kindOf(err), err, c.kind, c.says)
		}
		if strings.Contains(string(got), secret) || err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("read %q gave the secret away", c.path)
		}
	}
}

// Once what a link leads to is needed as well, it is followed.
func TestReadFollowsWithinAllNeeds(t *testing.T) {
	dir := tree(t)
	symlink(t, "../out/secret", dir+"/data/link")
	symlink(t, "data/sub", dir+"/alias")
	for _, c := range []struct {
		needs []string
		path  string
		kind  engine.EffectKind
	}{
		{[]string{dir + "/data"}, "/data/link", engine.Denied},
		{[]string{dir + "/data", dir + "/out"}, "/data/link", ""},
		{[]string{dir + "/data/link", dir + "/out/secret"}, "/data/link", ""},
		{[]string{dir + "/data/l*", dir + "/out/s*"}, "/data/link", ""},
		{[]string{dir + "/data/link", dir + "/out/secret/x"}, "/data/link", engine.Denied},
		{[]string{dir + "/alias"}, "/alias/b.txt", engine.Denied},
		{[]string{dir + "/alias", dir + "/data/sub"}, "/alias/b.txt", ""},
		{[]string{"/"}, "/data/link", ""},
		{nil, "/data/a.txt", engine.Denied},
	} {
		_, err := view(t, c.needs...).Read(t.Context(), dir+c.path, files.Part{})
		if kindOf(err) != c.kind {
			t.Errorf("read %s with %v: %v, want kind %q", c.path, c.needs, err, c.kind)
		}
	}
}

// Whoever may write in a granted folder swaps what is in it while it is read.
func TestReadWhileSwapped(t *testing.T) { bothWays(t, testReadWhileSwapped) }

func testReadWhileSwapped(t *testing.T) {
	rounds := 10_000
	if testing.Short() {
		rounds = 1000
	}
	for name, swap := range map[string]func(dir string) error{
		"file for link": func(dir string) error {
			return errors.Join(
				os.Symlink("../../out/sub/b.txt", dir+"/new"), os.Rename(dir+"/new", dir+"/data/sub/b.txt"),
				os.WriteFile(dir+"/new", []byte("inside"), 0o644), os.Rename(dir+"/new", dir+"/data/sub/b.txt"))
		},
		"folder for link": func(dir string) error {
			return errors.Join(
				os.Rename(dir+"/data/sub", dir+"/away"), os.Symlink("../out/sub", dir+"/data/sub"),
				os.Remove(dir+"/data/sub"), os.Rename(dir+"/away", dir+"/data/sub"))
		},
		"folder above for link": func(dir string) error {
			return errors.Join(
				os.Rename(dir+"/data", dir+"/away"), os.Symlink("out", dir+"/data"),
				os.Remove(dir+"/data"), os.Rename(dir+"/away", dir+"/data"))
		},
		"file for pipe": func(dir string) error {
			return errors.Join(
				syscall.Mkfifo(dir+"/new", 0o666), os.Rename(dir+"/new", dir+"/data/sub/b.txt"),
				os.WriteFile(dir+"/new", []byte("inside"), 0o644), os.Rename(dir+"/new", dir+"/data/sub/b.txt"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t)
			stop, stopped := make(chan struct{}), make(chan error, 1)
			go func() {
				for {
					select {
					case <-stop:
						stopped <- nil
						return
					default:
					}
					if err := swap(dir); err != nil {
						stopped <- err
						return
					}
				}
			}()
			v := view(t, dir+"/data")
			read, refused := 0, 0
			for n := 0; (n < rounds || read == 0 || refused == 0) && len(stopped) == 0; n++ {
				got, err := v.Read(t.Context(), dir+"/data/sub/b.txt", files.Part{})
				switch {
				case err == nil && string(got) == "inside":
					read++
				case err == nil:
					t.Fatalf("read %q", got)
				default:
					refused++
				}
			}
			close(stop)
			if err := <-stopped; err != nil {
				t.Fatal(err)
			}
			t.Logf("%d reads, %d refused", read, refused)
		})
	}
}

package files_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

// other starts a process with a secret in its environment, and returns its
// folder in /proc.
func other(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "600")
	cmd.Env = []string{"SECRET=" + secret}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { cmd.Wait() }) // the test's context has ended it by then
	dir := "/proc/" + strconv.Itoa(cmd.Process.Pid)
	for begun := false; !begun; { // the program is there a moment after its process
		cmdline, err := os.ReadFile(dir + "/cmdline")
		if err != nil {
			t.Fatal(err)
		}
		begun = strings.HasPrefix(string(cmdline), "sleep")
	}
	return dir
}

func TestProc(t *testing.T) { bothWays(t, testProc) }

func testProc(t *testing.T) {
	dir := tree(t)
	process := other(t)
	own := fmt.Sprint("/proc/", os.Getpid())
	thread := fmt.Sprint("/proc/", unix.Gettid())
	task := own + "/task/" + filepath.Base(thread)
	// The process may or may not be another's, with files of its own: what
	// counts is that links to them lead nowhere.
	file, err := os.Open(dir + "/out/secret")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fd := fmt.Sprint(own, "/fd/", file.Fd())
	symlink(t, process, dir+"/data/process")
	symlink(t, "/proc/self/environ", dir+"/data/self")
	symlink(t, "/proc/mounts", dir+"/data/mtab")
	symlink(t, strings.Repeat("../", 20)+"proc/self/mounts", dir+"/data/mtab-self")

	for _, c := range []struct {
		needs string // one, or several with blanks between
		path  string
		kind  engine.EffectKind
		says  string
	}{
		{"/proc/*/stat", process + "/stat", "", "(sleep)"},
		{"/proc/*/stat", "/proc/1/stat", "", ""},
		{"/proc", "/proc/loadavg", "", ""},
		{"/proc", process + "/cmdline", "", "sleep\x00600"},
		{"/proc", process + "/task/" + filepath.Base(process) + "/comm", "", "sleep"},
		{"/proc", own + "/status", "", ""},
		{"/proc", "/proc/999999999/stat", engine.NotFound, "does not exist"},
		{"/proc", process, engine.Failed, "is a folder"},

		// Links that stand for what belongs to a process by now.
		{"/proc/mounts", "/proc/mounts", "", " / "},
		{"/proc/net/dev", "/proc/net/dev", "", "lo:"},
		{"/proc/net", "/proc/net/dev", "", "lo:"},
		{"/proc", "/proc/net/dev", "", "lo:"},
		{"/proc/net", "/proc/net/stat", engine.Failed, "is a folder"},
		{dir + "/data /proc/mounts", dir + "/data/mtab", "", " / "},
		{dir + "/data", dir + "/data/mtab", engine.Denied, `{"read": ["/proc/mounts"]}`},
		{"/", dir + "/data/mtab-self", engine.Denied, "such as /proc/mounts"},

		// This server.
		{"/", "/proc/self/status", engine.Denied, "the server itself"},
		{"/", "/proc/self/environ", engine.Denied, "the server itself"},
		{"/", "/proc/thread-self/status", engine.Denied, "the server itself"},
		{"/proc/*/stat", "/proc/self/stat", engine.Denied, "the server itself"},
		{"/", dir + "/data/self", engine.Denied, "the server itself"},
		{"/", "/dev/stdin", engine.Denied, "the server's own"},
		{"/", "/dev/fd/0", engine.Denied, "the server's own"},

		// What is never read through a folder or a wildcard.
		{"/proc/*/stat", process + "/environ", engine.Denied, `it would take needs = {"read": ["` + process + `/environ"]}`},
		{"/proc", process + "/environ", engine.Denied, "environ"},
		{"/", process + "/environ", engine.Denied, "environ"},
		{process, process + "/environ", engine.Denied, "environ"},
		{"/proc/*/*", process + "/environ", engine.Denied, "environ"},
		{"/proc", process + "/maps", engine.Denied, "maps"},
		{"/proc", process + "/mem", engine.Denied, "mem"},
		{"/proc", process + "/task/" + filepath.Base(process) + "/environ", engine.Denied, "environ"},
		{"/proc", own + "/environ", engine.Denied, "environ"},
		{"/proc", task + "/environ", engine.Denied, "environ"},
		{"/", "/proc/kcore", engine.Denied, "kcore"},
		{"/proc", "/proc/kmsg", engine.Denied, "kmsg"},
		{"/proc", "/proc/keys", engine.Denied, "keys"},
		{"/", dir + "/data/process/environ", engine.Denied, "environ"},
		{dir + "/data /proc", dir + "/data/process/environ", engine.Denied, "environ"},
		{dir + "/data /proc/*/stat", dir + "/data/process/stat", "", "(sleep)"},
		{dir + "/data /proc/*/stat", dir + "/data/process/status", engine.Denied, "/status"},

		// Where it is spelled out, it is read, but for this server's own.
		{process + "/environ", process + "/environ", "", secret},
		{own + "/environ", own + "/environ", engine.Denied, "server's own"},
		{thread + "/environ", thread + "/environ", engine.Denied, "server's own"},
		{task + "/environ", task + "/environ", engine.Denied, "server's own"},

		// Links that need not lead where they say.
		{"/", process + "/root/etc/passwd", engine.Denied, "never followed"},
		{"/", process + "/root" + dir + "/data/a.txt", engine.Denied, "never followed"},
		{"/", process + "/cwd", engine.Denied, "never followed"},
		{"/", process + "/exe", engine.Denied, "never followed"},
		{"/", fd, engine.Denied, "never followed"},
		{"/", task + "/fd/" + filepath.Base(fd), engine.Denied, "never followed"},
		{"/", process + "/ns/net", engine.Denied, "never followed"},
		{"/", own + "/cwd/proc_linux_test.go", engine.Denied, "never followed"},
		{"/", process + "/map_files", engine.Denied, "map_files"},
	} {
		got, err := view(t, strings.Fields(c.needs)...).Read(t.Context(), c.path, files.Part{})
		if kindOf(err) != c.kind {
			t.Errorf("read %s with %s: %v, want kind %q", c.path, c.needs, err, c.kind)
		} else if err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("read %s with %s: %v, want an error that says %q", c.path, c.needs, err, c.says)
		} else if err == nil && (len(got) == 0 || !strings.Contains(string(got), c.says)) {
			t.Errorf("read %s with %s: %.100q, want %q in it", c.path, c.needs, got, c.says)
		}
	}
}

// A proc filesystem is known by what it is, not by the name of its folder.
func TestProcMountedElsewhere(t *testing.T) {
	process := other(t)
	dir := tree(t)
	if inNamespace(t, dir, process) {
		return
	}
	dir, process = os.Getenv("FILES_TEST_DIR"), filepath.Base(os.Getenv("FILES_TEST_PROCESS"))
	if err := unix.Mount("proc", dir+"/data/sub", "proc", 0, ""); err != nil {
		t.Skip(err)
	}
	at := dir + "/data/sub/"
	for path, kind := range map[string]engine.EffectKind{
		at + process + "/stat": "", at + "mounts": "", at + "net/dev": "",
		at + process + "/environ":          engine.Denied,
		at + process + "/root/etc/passwd":  engine.Denied,
		at + "self/status":                 engine.Denied,
		at + "keys":                        engine.Denied,
		at + process + "/task/1/environ":   engine.NotFound,
		at + process + "/cwd/data2/secret": engine.Denied,
	} {
		if got, err := view(t, dir+"/data", "/etc").Read(t.Context(), path, files.Part{}); kindOf(err) != kind {
			t.Errorf("read %s: %.100q, %v, want kind %q", path, got, err, kind)
		}
	}
	environ := at + process + "/environ"
	if got, err := view(t, environ).Read(t.Context(), environ, files.Part{}); err != nil || !strings.Contains(string(got), secret) {
		t.Errorf("read %s, spelled out: %.100q, %v", environ, got, err)
	}
}

// inNamespace runs the calling test again in a process with mounts of its own,
// and reports true, or false in that process.
func inNamespace(t *testing.T, dir, process string) bool {
	t.Helper()
	if os.Getenv("FILES_TEST_DIR") != "" {
		return false
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // no test of this package takes that long
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "FILES_TEST_DIR="+dir, "FILES_TEST_PROCESS="+process)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	switch {
	case cmd.ProcessState == nil:
		t.Skipf("no mount namespace: %v", err)
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
	return true
}

package confine_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

func init() {
	parts["busy"] = func(w confine.Worker, _ []string) string {
		fmt.Fprintln(w.Out, "busy")
		spin()
		return ""
	}
	// A parent in between, which tells of its worker and waits for its own end.
	parts["parent"] = func(w confine.Worker, _ []string) string {
		p, err := confine.Start(roleWorker, encode(small), "busy")
		if err != nil {
			return err.Error()
		}
		if got := answer(p); got != "busy" {
			return got
		}
		fmt.Fprintln(w.Out, p.Pid())
		io.Copy(io.Discard, w.In)
		return ""
	}
	// A parent whose file becomes another before it starts a worker.
	parts["upgraded"] = func(w confine.Worker, args []string) string {
		if err := os.Rename(args[1], args[0]); err != nil {
			return err.Error()
		}
		p, err := confine.Start(roleWorker, encode(small), "work", "clock")
		if err != nil {
			return err.Error()
		}
		return answer(p)
	}
	before["descriptors"] = func(args []string) {
		inherited, _ := strconv.Atoi(args[0])
		if _, err := unix.FcntlInt(uintptr(inherited), unix.F_GETFD, 0); err != nil {
			fmt.Println("nothing inherited")
			os.Exit(0)
		}
	}
	parts["descriptors"] = func(confine.Worker, []string) string {
		var open []int
		for fd := range 1000 {
			if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil {
				open = append(open, fd)
			}
		}
		return fmt.Sprint(len(open))
	}
}

// TestDescriptors lets a descriptor slip through to the worker, as careless
// programs do to their children.
func TestDescriptors(t *testing.T) {
	fd, err := unix.Open("/etc/passwd", unix.O_RDONLY, 0) // not closed on exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	bounds := small
	bounds.Unfiltered = true // so that the worker may look
	const want = "5"         // three, and two that timers wait on
	if got := answer(launch(t, encode(bounds), "descriptors", strconv.Itoa(fd))); got != want {
		t.Errorf("%s descriptors are open, want %s", got, want)
	}
}

func TestLacking(t *testing.T) {
	if got := answer(launch(t, encode(small), "lacking")); got != "nothing" {
		t.Errorf("lacking: %s", got)
	}
	bounds := small
	bounds.Unfiltered = true
	if got := answer(launch(t, encode(bounds), "lacking")); got != "programs, system calls" {
		t.Errorf("lacking without a filter: %s", got)
	}
}

// TestDiesWithParent kills a parent whose worker is busy and reads nothing.
func TestDiesWithParent(t *testing.T) {
	// Orphans become this process's children, which can so see them end.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	defer unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
	p := launch(t, free, "parent")
	worker, err := strconv.Atoi(answer(p))
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(p.Pid(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if d := p.Wait(); d.Cause != confine.KilledByOther {
		t.Errorf("the parent died: %v", d)
	}
	if !reaped(worker, 10*time.Second) {
		unix.Kill(worker, unix.SIGKILL)
		t.Error("the worker outlives its parent")
	}
}

func reaped(pid int, within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if got, _ := unix.Wait4(pid, nil, unix.WNOHANG, nil); got == pid {
			return true
		}
	}
	return false
}

// TestOutlivesThread ends the thread that asked for the worker.
func TestOutlivesThread(t *testing.T) {
	p := startAndEndThread(t)
	p.To.WriteString("still here\n")
	if got := answer(p); got != "still here" {
		t.Error(got)
	}
}

// startAndEndThread starts a worker from a thread and returns when the thread
// has ended.
func startAndEndThread(t *testing.T) *confine.Process {
	var p *confine.Process
	thread := make(chan int)
	var start func()
	start = func() {
		runtime.LockOSThread()
		if unix.Gettid() == os.Getpid() {
			// The first thread never ends: hold it, and take another.
			defer runtime.UnlockOSThread()
			go start()
			<-t.Context().Done()
			return
		}
		p = launch(t, encode(small), "echo")
		thread <- unix.Gettid()
		// A goroutine that ends locked takes its thread with it.
	}
	go start()
	for id := <-thread; unix.Tgkill(os.Getpid(), id, 0) == nil; {
		time.Sleep(time.Millisecond)
	}
	return p
}

// TestUpgrade replaces the file of a running program, which goes on starting
// workers of its own kind.
func TestUpgrade(t *testing.T) {
	folder := t.TempDir()
	running, next := filepath.Join(folder, "running"), filepath.Join(folder, "next")
	copyFile(t, "/proc/self/exe", running)
	if err := os.WriteFile(next, []byte("#!/bin/sh\necho upgraded\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(running, roleWorker, free, "upgraded", running, next).CombinedOutput()
	if err != nil || string(out) != "done\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemoryBound asks the system how much memory any worker so far has had,
// the greedy ones of TestDeaths among them.
func TestMemoryBound(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector has memory of its own")
	}
	if d := launch(t, encode(small), "die", "many allocations").Wait(); d.Cause != confine.OutOfMemory {
		t.Fatal(d)
	}
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		t.Fatal(err)
	}
	bound := (small.Memory + 192<<20 + 32<<20) >> 10 // with what it is born with, in KiB
	if usage.Maxrss > bound {
		t.Errorf("a worker has had %d KiB, want at most %d", usage.Maxrss, bound)
	}
}

// TestLeavesNothing starts and ends workers in each way, and then counts.
func TestLeavesNothing(t *testing.T) {
	launch(t, encode(small), "work", "clock").Wait() // what is started once, is
	descriptors, goroutines := countDescriptors(t), runtime.NumGoroutine()
	for i := range 200 {
		if raceDetector && i == 10 {
			break // each start takes a third of a second
		}
		p, err := confine.Start(roleWorker, encode(small), "echo")
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0: // while it starts
			p.Kill()
		case 1: // by itself
			p.To.Close()
		case 2: // in the middle
			p.To.WriteString("x\n")
			if got := answer(p); got != "x" {
				t.Error(got)
			}
			p.Kill()
		}
		p.Wait()
	}
	if got := countDescriptors(t); got > descriptors {
		t.Errorf("%d descriptors, %d before", got, descriptors)
	}
	for tries := 0; runtime.NumGoroutine() > goroutines; tries++ {
		if tries == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
		time.Sleep(time.Millisecond) // one that has said its last may still be ending
	}
	if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != unix.ECHILD {
		t.Errorf("children are left: %d, %v", pid, err)
	}
}

func countDescriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

package files_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/host/files"
)

// mountHung mounts a filesystem that never answers: nobody ever reads what the
// kernel asks of it. The returned function ends that, for good.
func mountHung(t *testing.T, point string) (end func()) {
	t.Helper()
	device, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no FUSE: %v", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", device, os.Getuid(), os.Getgid())
	if err := unix.Mount("hung", point, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		unix.Close(device)
		t.Skipf("no FUSE: %v", err)
	}
	return func() { unix.Close(device) }
}

// patiently performs an effect that is to be told that all places are taken. One
// of those that were to take them may have been left before it got in; then this
// one takes its place, and is made again.
func patiently(t *testing.T, effect func(context.Context) error, places int) (err error) {
	for range places + 1 {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		err = effect(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	return err
}

func TestHungFilesystem(t *testing.T) {
	if dir := tree(t); inNamespace(t, dir, "") {
		return
	}
	dir := os.Getenv("FILES_TEST_DIR")
	hung := dir + "/data/sub"
	symlink(t, hung+"/x", dir+"/data/link")
	end := mountHung(t, hung)
	disk := new(files.Disk)
	v := disk.View(patterns(t, []string{dir + "/data"}), nil)

	// The four that get in are left by their callers as soon as these want.
	effects := []func(context.Context) error{
		func(ctx context.Context) error { _, err := v.Read(ctx, hung+"/x", files.Part{}); return err },
		func(ctx context.Context) error { _, err := v.List(ctx, hung); return err },
		func(ctx context.Context) error { _, err := v.Usage(ctx, hung); return err },
		func(ctx context.Context) error { _, err := v.Read(ctx, dir+"/data/link", files.Part{}); return err },
	}
	gone := errors.New("the caller has gone")
	for i, effect := range effects {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(10*time.Millisecond, func() { cancel(gone) })
		if err := effect(ctx); err != gone {
			t.Fatalf("effect %d: %v", i, err)
		}
	}

	// A fifth one is told, and so is everyone after it.
	more := append(effects,
		func(ctx context.Context) error { _, err := v.Stat(ctx, hung+"/x"); return err },
		func(ctx context.Context) error { _, err := v.Glob(ctx, hung+"/*"); return err },
	)
	for i, effect := range more {
		err := patiently(t, effect, len(effects))
		if kindOf(err) != engine.TimedOut || !strings.Contains(err.Error(), "the filesystem at "+hung+" (fuse hung) does not answer") {
			t.Errorf("effect %d: %v", i, err)
		}
	}

	// Others are not disturbed, even where that one is in sight.
	if got, err := v.Read(t.Context(), dir+"/data/a.txt", files.Part{}); err != nil || string(got) != "inside" {
		t.Errorf("read beside it: %q, %v", got, err)
	}
	if got, err := v.List(t.Context(), dir+"/data"); err != nil || len(got) < 4 {
		t.Errorf("list beside it: %v, %v", got, err)
	}

	// Once it gives up, so do the effects that it held, and it is tried again.
	end()
	for {
		err := patiently(t, effects[0], len(effects))
		if kindOf(err) == engine.Failed {
			break
		}
		if kindOf(err) != engine.TimedOut {
			t.Fatalf("after its end: %v", err)
		}
	}
}

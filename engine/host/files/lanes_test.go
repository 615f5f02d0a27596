//go:build !windows

package files

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/starmcp/starmcp/engine"
)

func TestLaneHoldsFour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane(mount{"/mnt", "nfs4 srv:/x"})
		for range laneWidth {
			if err := l.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		// Whoever comes while they may still be answered waits, but not for long.
		start := time.Now()
		err := l.enter(t.Context())
		effect := (*engine.EffectError)(nil)
		if !errors.As(err, &effect) || effect.Kind != engine.TimedOut || !strings.Contains(err.Error(), "/mnt (nfs4 srv:/x)") {
			t.Errorf("the fifth: %v", err)
		}
		if waited := time.Since(start); waited != patience {
			t.Errorf("the fifth waited %v", waited)
		}
		// Later ones do not wait at all.
		start = time.Now()
		if err := l.enter(t.Context()); err == nil || time.Since(start) > 0 {
			t.Errorf("the sixth: %v after %v", err, time.Since(start))
		}
		// One that is answered after all makes room.
		l.leave()
		if err := l.enter(t.Context()); err != nil {
			t.Errorf("after one has left: %v", err)
		}
	})
}

// A filesystem that is slow but answers turns nobody away, however many wait.
func TestLaneMovesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ls := &lanes{byPoint: map[string]*lane{"/": newLane(mount{point: "/"})}, listing: true}
		done := make(chan error)
		for range 50 {
			go func() {
				p := &pass{ctx: t.Context(), lanes: ls}
				defer p.end()
				err := p.to("/x")
				for range 5 {
					time.Sleep(patience / 2)
					err = errors.Join(err, p.step())
				}
				done <- err
			}()
		}
		for range 50 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestPassEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLane(mount{point: "/"})
		ls := &lanes{byPoint: map[string]*lane{"/": l}, listing: true}
		cause := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		inside := &pass{ctx: ctx, lanes: ls}
		if err := inside.to("/x"); err != nil {
			t.Fatal(err)
		}
		for range laneWidth - 1 {
			if err := l.enter(ctx); err != nil {
				t.Fatal(err)
			}
		}
		waiting := make(chan error)
		go func() { waiting <- l.enter(ctx) }()
		synctest.Wait()
		cancel(cause)
		if err := <-waiting; err != cause {
			t.Errorf("one that waits: %v", err)
		}
		if err := inside.step(); err != cause {
			t.Errorf("one that is inside: %v", err)
		}
		if err := l.enter(t.Context()); err != nil {
			t.Errorf("its place is not free: %v", err)
		}
	})
}

func TestLaneOfPath(t *testing.T) {
	ls := &lanes{listing: true}
	ls.take([]mount{{"/", "ext4"}, {"/mnt/nfs", "nfs4"}, {"/mnt/nfs/a", "old"}, {"/mnt/nfs/a", "tmpfs"}})
	for path, want := range map[string]string{
		"/": "ext4", "/etc": "ext4", "/mnt/nfs2": "ext4", "/mnt": "ext4",
		"/mnt/nfs": "nfs4", "/mnt/nfs/x/y": "nfs4", "/mnt/nfs/a/b": "tmpfs",
	} {
		if got := ls.of(path).mount.label; got != want {
			t.Errorf("%s is in %s, want %s", path, got, want)
		}
	}
	nfs := ls.of("/mnt/nfs")
	ls.take([]mount{{"/", "xfs"}, {"/mnt/nfs", "nfs4"}})
	if ls.of("/mnt/nfs/a") != nfs || ls.of("/").mount.label != "xfs" {
		t.Error("a new list does not keep what stays, or keeps what does not")
	}
}

func TestCrashReachesCaller(t *testing.T) {
	defer func() {
		if v, _ := recover().(string); !strings.HasPrefix(v, "oops\n") || !strings.Contains(v, "TestCrashReachesCaller") {
			t.Errorf("recovered %q", v)
		}
	}()
	within(t.Context(), new(Disk), nil, func(*pass) (int, error) { panic("oops") })
}

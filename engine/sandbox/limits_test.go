package sandbox_test

import (
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox"
)

// Whatever a script, or what broke out of one, does: its call is answered with
// the limit that it met, and calls beside it do not notice.
func TestLimits(t *testing.T) {
	w := new(world)
	bombs := []struct{ name, body, class, message string }{
		{"spins", `evil.spin()`, engine.ClassTimeout, "the call took longer than its limit of 300ms"},
		{"loops", "for i in range(1 << 60):\n        pass", engine.ClassTimeout, "the call took longer than its limit of 300ms"},
		{"sleeps", `ctx.sleep("1h")`, engine.ClassTimeout, "the call took longer than its limit of 300ms"},
		{"hogs", `evil.hog()`, engine.ClassMemory, "the call used more than its limit of 64 MiB of memory; ask for less at once"},
		{"dives", `evil.dive()`, engine.ClassMemory, "the call nested deeper than its stack of 64 MiB holds"},
		{"exits", `evil.exit()`, engine.ClassPanic, ""},
		{"crashes", `evil.crash()`, engine.ClassPanic, ""},
		{"panics", `evil.panic()`, engine.ClassPanic, ""},
		{"garbage", `evil.say("this is no frame at all, and long enough to be read as a head")`, engine.ClassPanic, ""},
		{"truncated", `evil.say(b"\x09\x00\x00\x00\x23")`, engine.ClassTimeout, "the call took longer than its limit of 300ms"},
		{"huge frame", `evil.say(b"\xff\xff\xff\x7f\x23")`, engine.ClassPanic, ""},
		{"empty frame", `evil.say(b"\x00\x00\x00\x00")`, engine.ClassPanic, ""},
		{"unknown kind", `evil.say(b"\x02\x00\x00\x00\x7f\x00")`, engine.ClassPanic, ""},
		{"malformed outcome", `evil.say(b"\x02\x00\x00\x00\x23\x00")`, engine.ClassPanic, ""},
		{"deep effect", `evil.say(b"\xe9\x03\x00\x00\x21" + b"\x09\x01" * 500)`, engine.ClassPanic, ""},
		{"effect that there is not", `evil.say(b"\x0b\x00\x00\x00\x21\x09\x03\x03\x02\x05\x02no\x0a\x00")`, engine.ClassPanic, ""},
	}
	files := map[string]string{"calm.star": tool("def call(ctx, n):\n    return n + 1\ninput_schema = {\"properties\": {\"n\": {\"type\": \"integer\"}}, \"required\": [\"n\"]}\n")}
	for i, bomb := range bombs {
		limit := "10s"
		if bomb.class == engine.ClassTimeout {
			limit = "300ms"
		}
		files["bomb_"+strconv.Itoa(i)+".star"] = tool("limits = {\"timeout\": \"" + limit + "\"}\ndef call(ctx):\n    ctx.log(\"alive\")\n    " + bomb.body + "\n")
	}
	pool := start(t, load(t, files), w, sandbox.Options{})

	var calm, calls sync.WaitGroup
	var done atomic.Bool
	for range 2 {
		calm.Go(func() {
			for n := 0; !done.Load(); n++ {
				out := do(t, pool, "calm", `{"n":`+strconv.Itoa(n)+`}`)
				if string(out.Structured) != strconv.Itoa(n+1) {
					t.Errorf("a calm call beside: %+v", out)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	for i, bomb := range bombs {
		if race && bomb.name == "hogs" {
			do(t, pool, "bomb_0", "{}")
			continue
		}
		calls.Go(func() {
			out := do(t, pool, "bomb_"+strconv.Itoa(i), "{}")
			if out.Class != bomb.class || bomb.message != "" && (len(out.Content) != 1 || !strings.Contains(string(out.Content[0].JSON), bomb.message)) {
				t.Errorf("%s: %+v", bomb.name, plainOutcome(out))
			}
			if fault := bomb.class == engine.ClassPanic; fault != (out.Status == engine.Fault) || fault == out.IsError {
				t.Errorf("%s: status %d, error %t", bomb.name, out.Status, out.IsError)
			}
		})
	}
	calls.Wait()
	done.Store(true)
	calm.Wait()
	if got := strings.Count(w.take(), "alive"); got != len(bombs) {
		t.Errorf("%d of %d calls are in the log", got, len(bombs))
	}
}

// Memory is told by what a call holds, and not by the garbage that it leaves.
func TestMemory(t *testing.T) {
	pool := start(t, load(t, map[string]string{
		"live.star":    tool("input_schema = {\"properties\": {\"mib\": {\"type\": \"integer\"}}, \"required\": [\"mib\"]}\ndef call(ctx, mib):\n    kept = [str(i) * (1 << 20) for i in range(mib)]\n    return len(kept)\n"),
		"garbage.star": tool("def call(ctx):\n    for i in range(128):\n        x = str(i)[0] * (1 << 20)\n    return len(x)\n"),
	}), new(world), sandbox.Options{})
	for range 3 {
		if out := do(t, pool, "garbage", "{}"); out.IsError || out.Status != engine.OK {
			t.Errorf("garbage: %+v", plainOutcome(out))
		}
		if out := do(t, pool, "live", `{"mib": 10}`); out.IsError || out.Status != engine.OK {
			t.Errorf("little: %+v", plainOutcome(out))
		}
		if out := do(t, pool, "live", `{"mib": 300}`); out.Class != engine.ClassMemory {
			t.Errorf("much: %+v", plainOutcome(out))
		}
	}
}

// Calls beyond the concurrency wait, and then are told that there is no room.
func TestConcurrency(t *testing.T) {
	w := new(world)
	pool := start(t, load(t, map[string]string{
		"sleeps.star": tool("def call(ctx):\n    ctx.sleep(\"200ms\")\n    return 1\n"),
	}), w, sandbox.Options{Concurrency: 3, Queue: 300 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	var calls sync.WaitGroup
	var well, busy atomic.Int32
	for range 12 {
		calls.Go(func() {
			switch out := do(t, pool, "sleeps", "{}"); out.Class {
			case "":
				well.Add(1)
			case engine.ClassBusy:
				busy.Add(1)
			default:
				t.Errorf("%+v", plainOutcome(out))
			}
		})
	}
	calls.Wait()
	if well.Load() < 3 || busy.Load() < 6 || well.Load()+busy.Load() != 12 {
		t.Errorf("%d calls were answered and %d refused", well.Load(), busy.Load())
	}
}

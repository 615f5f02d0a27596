package confine_test

import (
	"runtime"
	"testing"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// skipUnbounded skips a death that nothing bounds on this system, or that takes
// the race detector too long.
func skipUnbounded(t *testing.T, name string) {
	cause := ends[name].cause
	if runtime.GOOS != "linux" && (cause == confine.OutOfMemory || cause == confine.KilledByOther) {
		t.Skip("no such bound on " + runtime.GOOS)
	}
	if raceDetector && (cause == confine.OutOfMemory || cause == confine.Crashed) {
		t.Skip("the race detector has memory and last words of its own")
	}
}

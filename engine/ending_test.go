package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestEndings ends calls before they end by themselves, wherever they are. Each
// way to end is told apart from the others, to the client and in the log.
func TestEndings(t *testing.T) {
	scripts := map[string]string{
		"in a loop":                             "for i in range(1 << 40):\n        pass",
		"in an effect":                          `ctx.sleep("1h")`,
		"in a callback that catches what fails": `ctx.attempt(lambda: ctx.sleep("1h"))`,
		"in a callback of the interpreter":      `sorted([2, 1], key = lambda x: ctx.sleep("1h"))`,
	}
	for _, c := range []struct {
		name, limits string
		cause        error  // with which the caller ends the call once it runs; nil: it does not
		only         string // where; empty: everywhere
		class, text  string
	}{
		{"its time is up", `{"timeout": "50ms"}`, nil, "", ClassTimeout, "the call took longer than its limit of 50ms"},
		{"its steps are used up", `{"steps": 1000}`, nil, "in a loop", ClassSteps, "the call took more than its limit of 1000 steps; ask for less at once"},
		{"the client is gone", `{}`, context.Canceled, "", ClassCancelled, "the call was cancelled"},
		{"the server stops", `{}`, ErrStopping, "", ClassStopped, "the call was ended because the server is stopping; try again in a moment"},
	} {
		for where, script := range scripts {
			if c.only != "" && c.only != where {
				continue
			}
			t.Run(c.name+" "+where, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				policy := beginning{begun: func() {
					if c.cause != nil {
						go cancel(c.cause)
					}
				}}
				table := mustLoad(t, policy, map[string]string{"tool.star": fmt.Sprintf(
					"\"\"\"Goes on and on.\"\"\"\nlimits = %s\ndef call(ctx):\n    ctx.log(\"begun\")\n    %s\n", c.limits, script)})
				out := table.Do(ctx, Request{Kind: Call, Tool: "tool"})
				if want := fmt.Sprintf(`error {"type":"text","text":%q} %s`, c.text, c.class); show(out) != want {
					t.Errorf("got  %s\nwant %s", show(out), want)
				}
				logged := map[string]string{}
				for _, attr := range out.Log {
					logged[attr.Key] = attr.Value.String()
				}
				if logged["err"] != c.text || len(logged["at"]) < len("tool.star:5:1") {
					t.Errorf("the log has %v", logged)
				}
			})
		}
	}
}

// beginning calls begun when a script logs.
type beginning struct {
	testPolicy
	begun func()
}

func (p beginning) Host(string, Needs) Host { return p }

func (p beginning) Perform(ctx context.Context, e Effect) (any, error) {
	if e.Kind == "log" {
		p.begun()
		return nil, nil
	}
	return p.testPolicy.Perform(ctx, e)
}

// What ends on its own in time is not ended, by what limit ever.
func TestDefaultLimitsAreGenerous(t *testing.T) {
	table := one(t, "def call(ctx):\n    n = 0\n    for i in range(1000000):\n        n += i\n    return n\n")
	if got := show(call1(t, table, "")); got != `499999500000 "499999500000" ` {
		t.Errorf("got %s", got)
	}
	synctest.Test(t, func(t *testing.T) {
		table := one(t, "def call(ctx):\n    ctx.sleep(\"9s\")\n    return \"awake\"\n")
		began := time.Now()
		if got := show(call1(t, table, "")); got != `{"type":"text","text":"awake"} ` || time.Since(began) != 9*time.Second {
			t.Errorf("got %s after %v", got, time.Since(began))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		table := one(t, "def call(ctx):\n    ctx.sleep(\"11s\")\n")
		want := `error {"type":"text","text":"the call took longer than its limit of 10s"} Timeout`
		if got := show(call1(t, table, "")); got != want {
			t.Errorf("got %s", got)
		}
	})
}

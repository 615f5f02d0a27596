package confine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// TestMain makes the test binary its own worker: with roleWorker as its first
// argument it confines itself to the bounds in the second and plays the part
// that the third names.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == roleWorker {
		work(os.Args[2], os.Args[3], os.Args[4:])
		return
	}
	os.Exit(m.Run())
}

const (
	roleWorker = "as-worker"
	free       = "null" // instead of bounds: not confined
)

// parts are what a worker can be told to do. What it returns is its answer.
var parts = map[string]func(w confine.Worker, args []string) string{}

// before runs a part's preparation before the process is confined.
var before = map[string]func(args []string){}

func work(bounds, part string, args []string) {
	if prepare := before[part]; prepare != nil {
		prepare(args)
	}
	w := confine.Worker{In: os.Stdin, Out: os.Stdout}
	if bounds != free {
		var b confine.Bounds
		err := json.Unmarshal([]byte(bounds), &b)
		if err == nil {
			w, err = confine.Self(b)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
	}
	play := parts[part]
	if play == nil {
		panic("no part called " + part)
	}
	fmt.Fprintln(w.Out, play(w, args))
}

// small are bounds that all parts but the greedy ones keep to.
var small = confine.Bounds{Memory: 64 << 20, Stack: 64 << 20, CPU: time.Minute}

func encode(b confine.Bounds) string {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// launch starts a worker, and kills it at the end of the test at the latest.
func launch(t testing.TB, bounds, part string, args ...string) *confine.Process {
	t.Helper()
	p, err := confine.Start(append([]string{roleWorker, bounds, part}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		p.Wait()
	})
	return p
}

// answer is the line that the worker writes, or how it died without.
func answer(p *confine.Process) string {
	line, err := bufio.NewReader(p.From).ReadString('\n')
	if err != nil {
		return "no answer: " + p.Wait().String()
	}
	return strings.TrimSuffix(line, "\n")
}

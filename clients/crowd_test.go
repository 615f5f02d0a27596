package clients

import (
	"fmt"
	"sync"
	"testing"
)

// TestCrowd has many clients at one endpoint at once. All of them count their
// requests from the same number, so that ids collide all the time; everybody
// must get the answer to their own question.
func TestCrowd(t *testing.T) {
	const clients, calls = 8, 40
	where := endpoint{url: serveHTTP(t, toolsDir)}
	var group sync.WaitGroup
	for i := range clients {
		l, revision := libraries[i%len(libraries)], revisions[i/len(libraries)]
		p := l.connect(t, where, revision)
		group.Go(func() {
			for n := range calls {
				want := fmt.Sprintf("client %d, call %d", i, n)
				a, err := p.call(t.Context(), "echo", map[string]any{"text": want})
				if err != nil {
					t.Errorf("%s in %s: %v", l.name, revision, err)
					return
				}
				if text(a) != want {
					t.Errorf("%s in %s asked for %q and got %q", l.name, revision, want, text(a))
				}
			}
		})
	}
	group.Wait()
}

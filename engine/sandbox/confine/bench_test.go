package confine_test

import "testing"

// BenchmarkStart is the time from the start of a worker to its first answer and
// its end: confined, and the same program without.
func BenchmarkStart(b *testing.B) {
	for _, bench := range []struct{ name, bounds string }{
		{"confined", encode(small)},
		{"free", free},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				p := launch(b, bench.bounds, "work", "environment")
				if got := answer(p); got == "" {
					b.Fatal(got)
				}
				p.Wait()
			}
		})
	}
}

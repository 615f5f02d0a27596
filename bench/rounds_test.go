package main

import (
	"slices"
	"testing"
	"time"
)

func TestCompareTakesTurns(t *testing.T) {
	var order []string
	measure := func(name string, ops int) runner {
		return runner{name, func() (sample, error) {
			order = append(order, name)
			return sample{ops: ops, elapsed: time.Second}, nil
		}}
	}
	res, err := compare("turns", 3, []runner{measure("a", 10), measure("b", 40)})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "b", "a", "a", "b"}; !slices.Equal(order, want) {
		t.Errorf("measured in the order %q, want %q", order, want)
	}
	if got := res.ratio("b", "a"); got != 4 {
		t.Errorf("b is %v times as fast as a, want 4", got)
	}
}

// TestRatioIsTakenWithinRounds has a machine that is ten times slower in one
// round: the ratio must not notice.
func TestRatioIsTakenWithinRounds(t *testing.T) {
	of := func(perSecond ...int) (samples []sample) {
		for _, n := range perSecond {
			samples = append(samples, sample{ops: n, elapsed: time.Second})
		}
		return samples
	}
	res := result{samples: map[string][]sample{"slow": of(100, 10, 100), "fast": of(300, 30, 300)}}
	if got := res.ratio("fast", "slow"); got != 3 {
		t.Errorf("ratio is %v, want 3", got)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{5, 1, 3}, 3},
		{[]float64{4, 1, 2, 3}, 2.5},
	} {
		if got := median(slices.Clone(c.values)); got != c.want {
			t.Errorf("median(%v) is %v, want %v", c.values, got, c.want)
		}
	}
}

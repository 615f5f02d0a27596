package main

import (
	"fmt"
	"slices"
	"time"
)

// A sample is what one contender did in one round.
type sample struct {
	ops     int
	elapsed time.Duration
	cpu     time.Duration // of the server
}

func (s sample) perSecond() float64 { return float64(s.ops) / s.elapsed.Seconds() }

// A runner measures one contender once.
type runner struct {
	name string
	run  func() (sample, error)
}

// A result is one table: every sample of every contender, round by round.
type result struct {
	title   string
	names   []string
	samples map[string][]sample
}

// compare measures all runners in each round, so that what else the machine
// does meets all of them alike. Each round begins with another one.
func compare(title string, rounds int, runners []runner) (*result, error) {
	res := &result{title: title, samples: map[string][]sample{}}
	for _, r := range runners {
		res.names = append(res.names, r.name)
	}
	for round := range rounds {
		for i := range runners {
			r := runners[(round+i)%len(runners)]
			s, err := r.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			res.samples[r.name] = append(res.samples[r.name], s)
		}
	}
	return res, nil
}

// median returns the median over the rounds of what of says about a sample.
func (r *result) median(name string, of func(sample) float64) float64 {
	var values []float64
	for _, s := range r.samples[name] {
		values = append(values, of(s))
	}
	return median(values)
}

// ratio returns how many times as fast name is as base: the median over the
// rounds of the ratio within each.
func (r *result) ratio(name, base string) float64 {
	var values []float64
	for i, s := range r.samples[name] {
		values = append(values, s.perSecond()/r.samples[base][i].perSecond())
	}
	return median(values)
}

func median(values []float64) float64 {
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 1 {
		return values[mid]
	}
	return (values[mid-1] + values[mid]) / 2
}

package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "\n%s\n", r.title)
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\tper second\tone takes\tserver CPU each\tx %s\tof %s\t\n", baseline, floor)
	for _, name := range r.names {
		rate := r.median(name, sample.perSecond)
		fmt.Fprintf(table, "%s\t%.4g\t%v\t%v\t%.2f\t%.0f %%\t\n", name, rate,
			brief(time.Duration(float64(time.Second)/rate)),
			brief(time.Duration(r.median(name, cpuEach))),
			r.ratio(name, baseline), 100*r.ratio(name, floor))
	}
	table.Flush()
}

func cpuEach(s sample) float64 { return float64(s.cpu) / float64(max(1, s.ops)) }

// brief drops the digits of d that mean nothing.
func brief(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond)
	case d >= 100*time.Microsecond:
		return d.Round(time.Microsecond)
	}
	return d.Round(100 * time.Nanosecond)
}

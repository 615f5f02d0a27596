// Package spell finds the name that somebody probably meant.
package spell

import "strings"

// Nearest returns the candidate closest to name, or "" where none is close
// enough to be suggested: at most a third of the name's letters may differ,
// without regard to case. Of equally close ones the first wins.
func Nearest(name string, candidates []string) string {
	if len(name) > maxName {
		return ""
	}
	best, limit := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if c == name {
			continue
		}
		if d := Distance(strings.ToLower(name), strings.ToLower(c), limit); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// maxName is how long a name may be that is still somebody's slip, in bytes. A
// script can ask with one of any length.
const maxName = 256

// Distance counts the letters to insert, delete, replace or swap with their
// neighbour to turn a into b. It gives up at limit and returns that.
func Distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		least := row[0]
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], limit)
}

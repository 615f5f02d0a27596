//go:build linux && race

package confine

// What a worker may take on top of its memory. The race detector keeps several
// bytes beside each one of the program.
const (
	spareData  = 4 << 30
	spareSpace = 1 << 40
)

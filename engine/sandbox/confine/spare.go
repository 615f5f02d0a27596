//go:build linux && !cgo && !race

package confine

// What a worker may take on top of its memory. Go reserves address space in
// pieces of 64 MiB, and has some of it in use by its collector.
const (
	spareData  = 192 << 20
	spareSpace = 192 << 20
)

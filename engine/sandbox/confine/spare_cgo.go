//go:build linux && cgo && !race

package confine

// What a worker may take on top of its memory. Where there is a C library, it
// reserves up to 72 MiB of address space for a thread, stack and allocator, of
// which nearly nothing is used. There the address space says little, and it is
// the writable memory that bounds a worker.
const (
	spareData  = 192 << 20
	spareSpace = 192<<20 + 2<<30
)

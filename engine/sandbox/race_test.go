//go:build race

package sandbox_test

// The race detector takes several times the memory, so that workers may, too.
const race = true

//go:build !race

package sandbox_test

const race = false

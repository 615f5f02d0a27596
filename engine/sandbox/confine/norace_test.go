//go:build !race

package confine_test

const raceDetector = false

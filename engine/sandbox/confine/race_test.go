//go:build race

package confine_test

// raceDetector: memory has other bounds, and so have the detector's own calls.
const raceDetector = true

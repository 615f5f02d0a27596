//go:build linux && !amd64 && !arm64

package confine

// filter tells that there is no filter for this architecture.
func filter(Bounds) (Lacking, error) { return LacksPrograms | LacksCalls, nil }

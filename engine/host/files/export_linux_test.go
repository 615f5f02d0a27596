package files

// SetLeap says whether walks may leap, and returns whether they might before.
func SetLeap(on bool) (before bool) { return !cannotLeap.Swap(!on) }

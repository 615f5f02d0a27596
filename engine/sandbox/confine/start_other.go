//go:build !linux

package confine

import "os"

// executable is the file that this program was started from.
func executable() string { return ownFile }

// ownFile is found at the start, before someone changes the directory.
var ownFile, _ = os.Executable()

// killGroup does nothing: the number of a process that has died may be
// another's already, and a worker starts no others.
func killGroup(int) {}

func settle(int) bool { return false }

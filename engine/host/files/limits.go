package files

// Limits of one effect.
const (
	MaxRead    = 4 << 20 // bytes that one read gives
	MaxEntries = 10_000  // entries of a folder that is listed, or paths that a pattern finds
	maxLooked  = 200_000 // entries that the search for a pattern looks at
	maxLinks   = 40      // symbolic links that one walk follows, as in Linux
)

// The types of files.
const (
	typeFile    = "file"
	typeDir     = "dir"
	typeSymlink = "symlink" // in lists only; elsewhere links are followed
	typeOther   = "other"   // a device, a named pipe, a socket
)

// lastLink says what to do with a symbolic link at the very end of a path.
type lastLink bool

const (
	followLast lastLink = false
	keepLast   lastLink = true
)

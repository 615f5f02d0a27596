// Package files reads files, folders and their metadata, exactly as far as
// patterns allow.
//
// The caller may be anyone and the folders may be writable by anyone: a path is
// never opened as a whole. It is walked from the root, one name at a time, each
// relative to the open folder before it and never through a symbolic link.
// Links are followed here, as text, and every name on the way is checked before
// it is touched. So neither a link, nor "..", nor a race that swaps a folder for
// a link leads out of what is allowed. Two things are not told apart from the
// file itself: a hard link, and a mount.
//
// What the kernel makes up under /proc is treated as what it is: links there
// are not followed, since what they say is not where they lead; /proc/self
// would be this server and is refused; and what would give away the memory or
// the environment of a process has to be allowed by its full path.
//
// On Windows the same rules are kept by resolving the path first and checking,
// after opening it, the path that the system reports for what was opened. That
// is weaker: something outside may be opened, though never read.
//
// A filesystem that does not answer blocks whoever asks it, beyond any
// deadline. Every effect therefore runs on its own goroutine, which its caller
// leaves when the context ends, and at most four are inside one filesystem at a
// time.
package files

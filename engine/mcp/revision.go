package mcp

import (
	"slices"

	"github.com/starmcp/starmcp/engine"
)

// A revision is a published revision of the protocol. They are in order, so
// that "from 2025-06-18 on" is a comparison.
type revision uint8

const (
	v20241105 revision = iota
	v20250326          // audio blocks, tool annotations
	v20250618          // structured results, output schemas, titles, resource links
	v20251125          // icons
	v20260728          // every request stands alone

	newestLegacy = v20251125
	newest       = v20260728

	// unstated is the revision of an HTTP request that names none: clients have
	// had to name it since the revision after this one.
	unstated = v20250326
)

var revisionNames = [...]string{
	v20241105: "2024-11-05",
	v20250326: "2025-03-26",
	v20250618: "2025-06-18",
	v20251125: "2025-11-25",
	v20260728: "2026-07-28",
}

// parseRevision finds a revision that is served here by its name.
func parseRevision(name string) (r revision, ok bool) {
	i := slices.Index(revisionNames[:], name)
	return revision(max(i, 0)), i >= 0
}

// revisionText decodes the name of a revision; those that are served cost no
// memory.
func revisionText(name raw) string {
	for _, known := range revisionNames {
		if len(name) == len(known)+2 && string(name[1:len(name)-1]) == known {
			return known
		}
	}
	return name.text()
}

func (r revision) String() string { return revisionNames[r] }

// modern tells whether requests of this revision stand alone, without a
// handshake before them.
func (r revision) modern() bool { return r >= v20260728 }

func (r revision) era() engine.Era {
	if r.modern() {
		return engine.Modern
	}
	return engine.Legacy
}

// Revisions names the revisions of the protocol that are served, newest first.
func Revisions() []string {
	names := slices.Clone(revisionNames[:])
	slices.Reverse(names)
	return names
}

// supportedVersions is Revisions as JSON.
var supportedVersions = func() []byte {
	out := []byte{'['}
	for i, name := range Revisions() {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, name)
	}
	return append(out, ']')
}()

package files

import (
	"path/filepath"
	"strings"
)

const absoluteForm = "with its drive: C:/logs"

// absolute returns text as /c:/logs. Case does not count here, so it is folded
// for every comparison. "/" is all drives; network and device paths are none.
func absolute(text string) (string, bool) {
	slashed := fold(strings.ReplaceAll(text, `\`, "/"))
	if slashed == "/" {
		return slashed, true
	}
	volume := filepath.VolumeName(text)
	return "/" + slashed, len(volume) == 2 && volume[1] == ':' && strings.HasPrefix(slashed[2:], "/")
}

// fold is a name as it is compared.
func fold(name string) string { return strings.ToLower(name) }

// joined is the path that names stand for.
func joined(names []string) string {
	if len(names) == 1 {
		return names[0] + "/"
	}
	if len(names) == 0 {
		return "/"
	}
	return strings.Join(names, "/")
}

// misnamed says why the segment at that depth does not name just a file here:
// the first is the drive, and in others the system would drop a final dot or blank, take ":" for a stream of the file, and open a
// device for names such as CON in any folder.
func misnamed(name string, depth int) string {
	switch {
	case depth == 0 && len(name) == 2 && name[1] == ':':
		return ""
	case strings.ContainsAny(name, `:<>"|?`):
		return "has a character that no file's name can hold"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "has a segment that ends in a dot or a blank"
	case !strings.Contains(name, "*") && !filepath.IsLocal(name):
		return "has a segment that is a device's name"
	}
	return ""
}

//go:build !windows

package files

import "strings"

const absoluteForm = "from the root on: /var/log"

// absolute returns text with slashes, beginning with one.
func absolute(text string) (string, bool) { return text, strings.HasPrefix(text, "/") }

// fold is a name as it is compared.
func fold(name string) string { return name }

// joined is the path that names stand for.
func joined(names []string) string { return "/" + strings.Join(names, "/") }

// misnamed says why the segment at that depth does not name just a file here.
func misnamed(name string, depth int) string { return "" }

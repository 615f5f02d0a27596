package host

import (
	"strings"

	"github.com/starmcp/starmcp/engine/host/files"
)

// A Capability is one way to the world: a key in needs and in grants.
type Capability struct {
	Name  string // the key, such as "read"
	Flag  string // the option of the command line that grants it, without dashes
	Doc   string // what it allows, in a few words
	parse func(text string) (pattern, error)
	also  []string // capabilities that allow all that this one does
}

// A pattern is one entry of needs or grants, as its capability reads it.
type pattern interface {
	covers(need pattern) bool
}

// capabilities are all there are, in the order in which people read of them.
var capabilities = []*Capability{
	{Name: "read", Doc: "read files and folders", parse: parsePath},
	{Name: "stat", Doc: "ask for the metadata of files and folders, and for the space of their filesystem", parse: parsePath, also: []string{"read"}},
}

func init() {
	for _, c := range capabilities {
		c.Flag = "allow-" + strings.ReplaceAll(c.Name, "_", "-")
	}
}

// Capabilities returns what tools can need and operators can grant.
func Capabilities() []Capability {
	all := make([]Capability, len(capabilities))
	for i, c := range capabilities {
		all[i] = *c
	}
	return all
}

// find returns the capability with that name, or nil.
func find(name string) *Capability {
	for _, c := range capabilities {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// paths is a pattern of read and stat.
type paths struct{ files.Pattern }

func parsePath(text string) (pattern, error) {
	p, err := files.ParsePattern(text)
	return paths{p}, err
}

func (p paths) covers(need pattern) bool {
	other, ok := need.(paths)
	return ok && p.Covers(other.Pattern)
}

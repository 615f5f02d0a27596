package mcp

import (
	"cmp"
	"strconv"
	"sync"

	"github.com/starmcp/starmcp/engine"
)

// An edition is a catalogue as it goes out on the wire, each part of it written
// once. It is safe for any number of goroutines.
type edition struct {
	catalogue *engine.Catalogue
	identity  engine.Identity
	meta      []byte // the member _meta of every modern result
	caching   []byte // the members ttlMs and cacheScope

	lists [newest + 1]struct {
		once sync.Once
		list toolList
	}
}

func (s *Server) newEdition(c *engine.Catalogue) *edition {
	e := &edition{catalogue: c, identity: c.Identity}
	e.identity.Name = cmp.Or(e.identity.Name, s.name)
	e.identity.Version = cmp.Or(e.identity.Version, s.version)
	e.meta = appendIdentity([]byte(`"_meta":{"`+metaServerInfo+`":`), &e.identity, newest)
	e.meta = append(e.meta, '}')
	e.caching = strconv.AppendInt([]byte(`"ttlMs":`), max(0, s.listTTL.Milliseconds()), 10)
	e.caching = append(e.caching, `,"cacheScope":"public"`...)
	if c.Private {
		e.caching = append(e.caching[:len(e.caching)-len(`public"`)], `private"`...)
	}
	return e
}

// editionOf returns the edition of the catalogue that everybody may see. It is
// made when a catalogue is first asked for and kept until another one is.
func (s *Server) editionOf(c *engine.Catalogue) *edition {
	if e := s.latest.Load(); e != nil && e.catalogue == c {
		return e
	}
	e := s.newEdition(c)
	s.latest.Store(e)
	return e
}

// list returns the tools as clients of the given revision get to see them.
func (e *edition) list(rev revision) *toolList {
	l := &e.lists[rev]
	l.once.Do(func() { l.list = newToolList(e.catalogue.Tools, rev) })
	return &l.list
}

// A toolList is tools, written one after the other, so that any run of them is
// a part of the text.
type toolList struct {
	text  []byte // joined by commas
	start []int  // where in text each tool begins; one more for the end
}

func newToolList(tools []*engine.Descriptor, rev revision) toolList {
	l := toolList{start: make([]int, 0, len(tools)+1)}
	for _, t := range tools {
		l.start = append(l.start, len(l.text))
		l.text = append(appendTool(l.text, t, rev), ',')
	}
	l.start = append(l.start, len(l.text))
	return l
}

// run returns the tools from i up to, not including, j.
func (l *toolList) run(i, j int) []byte {
	if i >= j {
		return nil
	}
	return l.text[l.start[i] : l.start[j]-1]
}

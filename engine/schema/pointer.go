package schema

import (
	"strconv"
	"strings"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

var pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")

// child returns the JSON pointer to what lies under tokens below pointer.
// Source: RFC 6901.
func child(pointer string, tokens ...string) string {
	b := []byte(pointer)
	for _, t := range tokens {
		b = append(append(b, '/'), pointerEscapes.Replace(t)...)
	}
	return string(b)
}

// element returns the JSON pointer to an element of the array at pointer.
func element(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// tokens splits a JSON pointer.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(pointer[1:], "/")
	for i, t := range list {
		list[i] = pointerUnescapes.Replace(t)
	}
	return list
}

// find returns what a pointer leads to.
func find(doc *jsontree.Node, path []string) (*jsontree.Node, bool) {
	for _, token := range path {
		next, ok := step(doc, token)
		if !ok {
			return nil, false
		}
		doc = next
	}
	return doc, true
}

func step(n *jsontree.Node, token string) (*jsontree.Node, bool) {
	if n.Kind != jsontree.Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) || strconv.Itoa(i) != token {
		return nil, false
	}
	return &n.Items[i], true
}

// A place is where a value stands in a document: the index of a member or an
// element on each level. Places sort in the document's order, an outer value
// before what is in it.
type place []int

// holds tells whether p is q or something around it.
func (p place) holds(q place) bool {
	if len(p) > len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// in returns what stands at p in a document, or nil.
func (p place) in(doc *jsontree.Node) *jsontree.Node {
	for _, i := range p {
		if i >= len(doc.Items) {
			return nil
		}
		doc = &doc.Items[i]
	}
	return doc
}

// places finds places by path. It remembers the members of large objects, so
// that as many faults as there are members cost no more than a pass each.
type places struct {
	doc     *jsontree.Node
	large   map[*jsontree.Node]map[string]int
	holders map[int]map[string][]string
}

// at returns the place of path. A member that is missing stands after all that
// are there.
func (p *places) at(path []string) place {
	out := make(place, 0, len(path))
	n := p.doc
	for _, token := range path {
		i := p.index(n, token)
		out = append(out, i)
		if i >= len(n.Items) {
			break
		}
		n = &n.Items[i]
	}
	return out
}

func (p *places) index(n *jsontree.Node, token string) int {
	if n.Kind == jsontree.Array {
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 {
			return len(n.Items)
		}
		return min(i, len(n.Items))
	}
	if len(n.Names) > 32 {
		return p.lookup(n, token)
	}
	for i, name := range n.Names {
		if name == token {
			return i
		}
	}
	return len(n.Items)
}

func (p *places) lookup(n *jsontree.Node, token string) int {
	members := p.large[n]
	if members == nil {
		members = make(map[string]int, len(n.Names))
		for i, name := range n.Names {
			members[name] = i
		}
		if p.large == nil {
			p.large = make(map[*jsontree.Node]map[string]int)
		}
		p.large[n] = members
	}
	if i, ok := members[token]; ok {
		return i
	}
	return len(n.Items)
}

// holder returns the path to the first object at a depth that has a member of
// that name. The library loses the path to an object when the name of a member
// is at fault.
func (p *places) holder(name string, depth int) []string {
	if p.holders[depth] == nil {
		if p.holders == nil {
			p.holders = make(map[int]map[string][]string)
		}
		p.holders[depth] = make(map[string][]string)
		p.collect(p.doc, nil, depth)
	}
	return p.holders[depth][name]
}

func (p *places) collect(n *jsontree.Node, path []string, depth int) {
	for i := range n.Items {
		token := strconv.Itoa(i)
		if n.Kind == jsontree.Object {
			token = n.Names[i]
		}
		if len(path) < depth {
			p.collect(&n.Items[i], append(path[:len(path):len(path)], token), depth)
		} else if _, ok := p.holders[depth][token]; !ok && n.Kind == jsontree.Object {
			p.holders[depth][token] = path
		}
	}
}

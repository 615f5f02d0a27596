// Package jsontree reads JSON documents into ordered trees.
//
// A tree keeps what a map[string]any loses: the order of an object's members
// and every digit of a number. It is what arguments are while they are checked
// and mended, and what json.decode builds Starlark values from. Caps hold while
// a document is read, so that a hostile one costs no more than they allow.
package jsontree

import (
	"encoding/json"
	"slices"
)

// Kind tells what a [Node] is.
type Kind uint8

const (
	Null Kind = iota
	False
	True
	Number // Text holds the literal as it was written
	String // Text holds the decoded string, always valid UTF-8
	Array  // Items holds the elements
	Object // Names and Items hold the members, in the document's order
)

// String returns the JSON type's name: "null", "boolean", "number", "string",
// "array" or "object".
func (k Kind) String() string {
	switch k {
	case False, True:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "null"
}

// Node is a JSON value. Its zero value is null.
type Node struct {
	Kind  Kind
	Text  string
	Names []string
	Items []Node
}

// Get returns the member of that name, for reading or for editing in place.
// It is false where n is no object or has no such member.
func (n *Node) Get(name string) (*Node, bool) {
	if i := n.index(name); i >= 0 {
		return &n.Items[i], true
	}
	return nil, false
}

// Set changes the member of that name, or adds it as the last one. n must be
// an object.
func (n *Node) Set(name string, value Node) {
	if i := n.index(name); i >= 0 {
		n.Items[i] = value
		return
	}
	n.Names = append(n.Names, name)
	n.Items = append(n.Items, value)
}

// Delete removes the member of that name, if there is one.
func (n *Node) Delete(name string) {
	if i := n.index(name); i >= 0 {
		n.Names = slices.Delete(n.Names, i, i+1)
		n.Items = slices.Delete(n.Items, i, i+1)
	}
}

func (n *Node) index(name string) int {
	if n.Kind != Object {
		return -1
	}
	return slices.Index(n.Names, name)
}

// Clone returns a copy that shares no slice with n.
func (n Node) Clone() Node {
	n.Names = slices.Clone(n.Names)
	n.Items = slices.Clone(n.Items)
	for i := range n.Items {
		n.Items[i] = n.Items[i].Clone()
	}
	return n
}

// Any returns the value as map[string]any, []any, [json.Number], string, bool
// or nil.
func (n Node) Any() any {
	switch n.Kind {
	case False:
		return false
	case True:
		return true
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		list := make([]any, len(n.Items))
		for i := range n.Items {
			list[i] = n.Items[i].Any()
		}
		return list
	case Object:
		object := make(map[string]any, len(n.Items))
		for i := range n.Items {
			object[n.Names[i]] = n.Items[i].Any()
		}
		return object
	}
	return nil
}

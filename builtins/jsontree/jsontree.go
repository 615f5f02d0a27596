// Package jsontree reads JSON documents into ordered trees.
//
// A tree keeps what a map[string]any loses: the order of an object's members
// and every digit of a number. It is what arguments are while they are checked
// and mended, and what json.decode builds Starlark values from. Caps hold while
// a document is read, so that a hostile one costs no more than they allow.
package jsontree

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

// Node is a JSON value. Its zero value is null.
type Node struct {
	Kind  Kind
	Text  string
	Names []string
	Items []Node
}

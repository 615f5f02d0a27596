// Package engine turns a tree of Starlark files into an immutable table of
// tools and calls them.
//
// Three ideas carry it. A [Table] is a value: [Load] is a pure function from a
// file tree to one, or to every problem that stands in its way. Effects are
// handed in: a script reaches the world only by requests of plain data that
// pass its tool's [Host]. And the protocol knows no Starlark: what it asks and
// gets are [Request] and [Outcome].
package engine

package schema

import (
	"context"
	"errors"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// Bound are arguments as a tool gets them.
type Bound struct {
	Arguments jsontree.Node // an object, valid, with defaults filled in
	Notes     []string      // what the agent should be told of how they were read
	Secrets   []string      // values of writeOnly properties of six bytes or more, as sent and as read, the longest first
}

// Bind reads the raw arguments of a call. Nil and null mean {}.
//
//  1. What is over one of [jsontree.ArgumentCaps] is refused while it is read.
//  2. What is valid is left alone.
//  3. Where the validator found a wrong type, and only there, the value is read
//     as a wanted type if it can be. null for a property that is optional and
//     not nullable is left out. Of several ways to settle all faults, through
//     the branches of anyOf and oneOf in the schema's order, the first is taken
//     that makes the whole document valid, of at most 64.
//  4. A top-level number over its inclusive maximum is lowered to it, if that
//     makes the document valid, and a note says so.
//  5. Defaults are filled in, and the document is validated once more.
//
// A value has at most one other reading:
//
//   - a string that is a JSON number, where a number is wanted; for an integer
//     it must be written without fraction and exponent. So "10" and "-3" are
//     integers and "10.0", "1e3", "+5", "007", "0x10", " 10" and "" are not;
//   - the strings "true" and "false", where a boolean is wanted;
//   - a string that holds a JSON array or object, where that is wanted;
//   - a number, where a string is wanted: its own digits, so 1.10 is "1.10".
//
// An integer that is written 1.0 or 1e3 becomes plain digits where the schema
// says integer.
//
// What it costs is bounded, whatever the schema and the arguments: what would
// take the validator too many steps is refused. So are arguments whose turn does
// not come before ctx ends.
//
// Errors are [*jsontree.CapError], [*jsontree.SyntaxError], [*NotObjectError],
// [*ArgumentsError] and the cause of ctx; Secrets are set with all but the first
// three. A panic of the library passes through: callers recover it with any
// other in a call.
func (in *Input) Bind(ctx context.Context, raw []byte) (Bound, error) {
	bound, err := in.read(ctx, raw)
	return bound, about(err, "the arguments")
}

// about makes an error about the size of a document say whose JSON that is.
func about(err error, subject string) error {
	var over *jsontree.CapError
	if errors.As(err, &over) {
		over.Of = subject
	}
	return err
}

func (in *Input) read(ctx context.Context, raw []byte) (Bound, error) {
	sent, err := readArguments(raw)
	if err != nil {
		return Bound{}, err
	}
	if !in.root.hides {
		return in.bind(ctx, sent)
	}
	var k keeper
	k.document(in.root, &sent) // before anything is changed in place
	bound, err := in.bind(ctx, sent)
	k.document(in.root, &bound.Arguments)
	bound.Secrets = k.list()
	hide(bound.Secrets, err)
	return bound, err
}

func (in *Input) bind(ctx context.Context, sent jsontree.Node) (bound Bound, err error) {
	bound.Arguments = sent
	if !in.accepts(&sent) {
		if bound, err = in.mended(ctx, sent); err != nil {
			return Bound{}, err
		}
	}
	if err := in.complete(ctx, &bound.Arguments); err != nil {
		return Bound{}, err
	}
	return bound, nil
}

// readArguments parses raw arguments, which must be an object.
func readArguments(raw []byte) (jsontree.Node, error) {
	if len(raw) == 0 {
		return jsontree.Node{Kind: jsontree.Object}, nil
	}
	doc, err := jsontree.Parse(raw, jsontree.ArgumentCaps)
	switch {
	case err != nil:
		return doc, err
	case doc.Kind == jsontree.Null:
		return jsontree.Node{Kind: jsontree.Object}, nil
	case doc.Kind != jsontree.Object:
		return doc, &NotObjectError{Got: withArticle(doc.Kind.String())}
	}
	return doc, nil
}

// mended returns arguments that are not known to be valid as they were meant.
// The error says why they are not valid.
func (in *Input) mended(ctx context.Context, sent jsontree.Node) (Bound, error) {
	bound := Bound{Arguments: sent}
	m := newMender(in, &sent, newEffort(ctx, &sent))
	defer m.effort.done()
	f, err := in.checkRule(in.root, &sent, m.effort)
	if err != nil || f == nil {
		return bound, err
	}
	found, ok := m.mend(f)
	switch {
	case m.err != nil:
		return bound, m.err
	case !ok && (m.first == nil || ctx.Err() != nil) && m.effort.over != nil: // no reading could be judged
		return bound, m.effort.over
	case !ok:
		return bound, m.explain(f)
	}
	bound.Arguments = *found.doc
	for i, name := range found.doc.Names {
		if found.clamped[name] {
			bound.Notes = append(bound.Notes, note(name, found.doc.Items[i].Text))
		}
	}
	return bound, nil
}

// complete fills in the defaults of valid arguments, and writes integers as such.
func (in *Input) complete(ctx context.Context, doc *jsontree.Node) error {
	if in.root.fills {
		var f filler
		f.fill(in.root, doc)
		if f.over {
			return &jsontree.CapError{Cap: "nodes", Limit: maxFilled}
		}
		if f.added > 0 && !in.accepts(doc) {
			return in.checkFilled(ctx, *doc)
		}
	}
	if hasDecimals(doc) {
		new(judge).integers(in.root, doc)
	}
	return nil
}

// checkFilled asks the library about arguments with defaults.
func (in *Input) checkFilled(ctx context.Context, doc jsontree.Node) error {
	effort := newEffort(ctx, &doc)
	defer effort.done()
	f, err := in.checkRule(in.root, &doc, effort)
	if err != nil || f == nil {
		return err
	}
	e := new(ArgumentsError)
	e.Faults, e.More = in.explain(f, &doc)
	return e
}

// A NotObjectError says that arguments are no object, which the protocol wants
// them to be.
type NotObjectError struct {
	Got string // "an array", "a string", ...
}

func (e *NotObjectError) Error() string {
	return "arguments must be an object, and this is " + e.Got
}

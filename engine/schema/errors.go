package schema

import (
	"fmt"
	"strings"
)

// maxFaults is how many faults an error tells of one by one.
const maxFaults = 10

// An ArgumentFault is one thing that is wrong with a document. It never holds a
// value of the document.
type ArgumentFault struct {
	Pointer    string // JSON pointer to the value; empty: the document as a whole
	Expected   string // what the schema wants; empty where it wants nothing
	Got        string // the type and size of what is there
	DidYouMean string // the name that an unknown one was probably meant to be; may be empty
	Hint       string // what to do next; may be empty
}

func (f ArgumentFault) String() string {
	if f.Pointer == "" {
		return f.reason()
	}
	return shorten(f.Pointer) + ": " + f.reason()
}

// reason says what is wrong, without where.
func (f ArgumentFault) reason() string {
	text := f.Got
	if f.Expected != "" {
		text = fmt.Sprintf("expected %s, got %s", f.Expected, f.Got)
	}
	if f.DidYouMean != "" {
		text += fmt.Sprintf(", did you mean %q?", f.DidYouMean)
	}
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	return text
}

// An ArgumentsError is what an agent reads when its arguments do not fit.
type ArgumentsError struct {
	Faults []ArgumentFault // the first ten, in the document's order
	More   int             // how many more there are
}

func (e *ArgumentsError) Error() string {
	return "The arguments do not fit the tool's input schema; nothing was run.\n" + list(e.Faults, e.More, "\n")
}

// An OutputError says how a result breaks its output schema.
type OutputError struct {
	Faults []ArgumentFault // the first ten, in the document's order
	More   int             // how many more there are
}

func (e *OutputError) Error() string {
	return "the result does not fit the output schema: " + list(e.Faults, e.More, "; ")
}

func list(faults []ArgumentFault, more int, separator string) string {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.String()
	}
	if more > 0 {
		lines = append(lines, "and "+plural(more, "more fault", "more faults"))
	}
	return strings.Join(lines, separator)
}

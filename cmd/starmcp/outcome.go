package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/starmcp/starmcp/engine"
)

// showOutcome prints what a call came to. Its results are on standard output,
// everything about them on standard error.
func (sh shell) showOutcome(o engine.Outcome) error {
	switch {
	case o.Status == engine.Fault:
		fmt.Fprintf(sh.err, "%s\n", strings.TrimRight(o.Detail, "\n"))
		return errWrong
	case o.Status != engine.OK:
		return errors.New(o.Message)
	case o.IsError:
		printBlocks(sh.err, o.Content)
		return errWrong
	}
	printBlocks(sh.out, o.Content)
	if o.Structured != nil {
		if err := printRaw(sh.out, o.Structured); err != nil {
			return err
		}
	}
	if o.Summary != "" {
		fmt.Fprintf(sh.err, "summary: %s\n", o.Summary)
	}
	for _, note := range o.Notes {
		fmt.Fprintln(sh.err, note)
	}
	return nil
}

// printBlocks prints text as text, and any other block as its JSON.
func printBlocks(w io.Writer, blocks []engine.Block) {
	for _, b := range blocks {
		var text struct{ Text string }
		if b.Type == "text" && json.Unmarshal(b.JSON, &text) == nil {
			fmt.Fprintln(w, strings.TrimSuffix(text.Text, "\n"))
			continue
		}
		printRaw(w, b.JSON)
	}
}

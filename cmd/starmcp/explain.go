package main

import (
	"context"
	"fmt"

	"github.com/starmcp/starmcp/engine"
)

// explain tells what the tool would be given and may do. Nothing runs.
func (sh shell) explain(ctx context.Context, tools engine.Toolset, tool *engine.Tool, arguments []byte) error {
	given, notes, refused := tools.Arguments(ctx, tool.Descriptor.Name, arguments)
	if refused != nil {
		return sh.showOutcome(*refused)
	}
	fmt.Fprintf(sh.out, "%s would be called with:\n", tool.Descriptor.Name)
	if err := printRaw(sh.out, given); err != nil {
		return err
	}
	for _, note := range notes {
		fmt.Fprintln(sh.out, note)
	}
	if len(tool.Coverage) == 0 {
		fmt.Fprint(sh.out, "\nIt needs nothing of this machine.\n")
		return nil
	}
	fmt.Fprint(sh.out, "\nIt needs, and could use no more than:\n")
	v := inventory{w: sh.out, colour: paletteFor(sh.out)}
	v.needs(tool.Coverage)
	v.missing(tool.Coverage)
	return nil
}

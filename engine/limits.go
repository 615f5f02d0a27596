package engine

import "time"

// Limits bound one call.
type Limits struct {
	Timeout time.Duration // from its start to its mapped result
	Steps   uint64        // of the interpreter
	Memory  int64         // bytes of live script memory; enforced by worker processes
	Output  int           // bytes of text or of encoded structured data
	Print   int           // bytes of print and ctx.log
}

// DefaultLimits are in force where nothing else is said.
var DefaultLimits = Limits{
	Timeout: 10 * time.Second,
	Steps:   200_000_000,
	Memory:  64 << 20,
	Output:  1 << 20,
	Print:   64 << 10,
}

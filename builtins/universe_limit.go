package builtins

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A LimitError says that a builtin did not begin, or gave up, because one step
// of a script would have gone over a limit.
type LimitError struct {
	Memory bool   // over the thread's memory limit; else over a cap of the builtin itself
	Reason string // what is too big, and how big it may be
}

func (e *LimitError) Error() string { return e.Reason }

// memoryKey is where a thread keeps its memory limit.
const memoryKey = "builtins.memory"

// defaultMemory is the limit of threads that were given none, such as those
// that load files.
const defaultMemory = 64 << 20

// LimitMemory sets how many bytes one step of a builtin may allocate on the
// thread. Without it, they are 64 MiB. It is no limit of all steps together.
func LimitMemory(thread *starlark.Thread, bytes int64) {
	thread.SetLocal(memoryKey, bytes)
}

func memoryLimit(thread *starlark.Thread) int64 {
	if limit, ok := thread.Local(memoryKey).(int64); ok {
		return limit
	}
	return defaultMemory
}

// checkMemory refuses n things of some bytes each that are more than the thread
// may allocate. things names them: "elements".
func checkMemory(thread *starlark.Thread, name string, n, bytes int64, things string) error {
	limit := memoryLimit(thread)
	if bytes == 0 || n <= limit/bytes {
		return nil
	}
	return &LimitError{Memory: true, Reason: fmt.Sprintf("%s: %d %s do not fit into the memory limit of %s, which holds %d at most; ask for less at once",
		name, n, things, FormatBytes(limit), limit/bytes)}
}

// batch is how much a builtin does between two looks at whether it may go on.
const batch = 1024

// spend counts n steps of the interpreter. It returns an error if the thread was
// cancelled, which includes that its steps are used up.
func spend(thread *starlark.Thread, n int) error {
	thread.Steps += uint64(n)
	_, err := starlark.Call(thread, pulse, nil, nil)
	var evalErr *starlark.EvalError
	if errors.As(err, &evalErr) {
		return evalErr.Unwrap() // without the frame of pulse, of which no author knows
	}
	return err
}

// pulse does nothing, in Starlark: only the interpreter can tell whether a thread
// was cancelled, and it looks at each of its steps.
var pulse = func() *starlark.Function {
	f, err := starlark.ExprFuncOptions(&syntax.FileOptions{}, "pulse", "None", nil)
	if err != nil {
		panic(err)
	}
	return f
}()

// FormatBytes writes a number of bytes with the largest unit that divides them.
func FormatBytes(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d %s", n/size, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

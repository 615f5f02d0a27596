package engine

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/starmcp/starmcp/builtins/jsontree"
)

// ErrTimeout is the cause of a call's context when the call's time is up.
var ErrTimeout = errors.New("the call's time is up")

// The outcomes of calls that could not be answered where they ran. detail is
// for the log alone.

// TimedOut is the outcome of a call that was ended at its time limit.
func (l Limits) TimedOut(detail string) Outcome {
	return lost(ClassTimeout, l.timeoutMessage(), detail)
}

// OutOfMemory is the outcome of a call that was ended since it took more memory
// than it may.
func (l Limits) OutOfMemory(detail string) Outcome {
	return lost(ClassMemory, l.memoryMessage(), detail)
}

// TooDeep is the outcome of a call that was ended since it nested so deep that
// its stack would have taken more bytes than it may.
func TooDeep(stack int64, detail string) Outcome {
	return lost(ClassMemory, fmt.Sprintf("the call nested deeper than its stack of %s holds", formatBytes(stack)), detail)
}

// TooBig is the outcome of a call whose result was not let through.
func (l Limits) TooBig() Outcome { return lost(ClassOutput, l.outputMessage(), "") }

// TooLarge is the outcome of a call whose arguments are too large to be read.
func TooLarge() Outcome {
	limit := jsontree.ArgumentCaps.Bytes
	return errorOutcome(ClassArguments, (&jsontree.CapError{Cap: "bytes", Limit: limit, Offset: limit, Of: "the arguments"}).Error())
}

// Ended is the outcome of a call whose context ended, by what is the cause of
// that: [ErrStopping], or that nobody waits for the call any more.
func Ended(cause error) Outcome {
	if errors.Is(cause, ErrStopping) {
		return lost(ClassStopped, stoppedMessage(cause), "")
	}
	return errorOutcome(ClassCancelled, "the call was cancelled")
}

// Busy is the outcome of a call that found no room.
func Busy(message string) Outcome { return lost(ClassBusy, message, "") }

// Lost is the outcome of a call whose process was ended by somebody else.
func Lost(detail string) Outcome {
	return lost(ClassLost, "the process that ran the call was ended from outside; call again", detail)
}

// Crashed is the outcome of a call that starmcp, or a library, could not stand.
func Crashed(detail string) Outcome {
	return Outcome{Status: Fault, Class: ClassPanic, Reference: newReference(), Detail: ClassPanic + ": " + detail}
}

func lost(class, message, detail string) Outcome {
	out := errorOutcome(class, message)
	out.Log = []slog.Attr{slog.String("err", message)}
	out.Detail = detail
	return out
}

func stoppedMessage(cause error) string {
	return "the call was ended because " + cause.Error() + "; try again in a moment"
}

func (l Limits) timeoutMessage() string {
	return fmt.Sprintf("the call took longer than its limit of %v", l.Timeout)
}

func (l Limits) memoryMessage() string {
	return fmt.Sprintf("the call used more than its limit of %s of memory; ask for less at once", formatBytes(l.Memory))
}

func (l Limits) outputMessage() string {
	return fmt.Sprintf("the result is bigger than the limit of %s", formatBytes(int64(l.Output)))
}

package sandbox

import (
	"log/slog"

	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// A Grant is something that an operator allows, as plain data: how a loader's
// policy comes to know it.
type Grant struct {
	Needs  engine.Needs
	Source string // where it was made, such as "--allow-read"
}

// openMessage begins an image. As many files and tools follow as it says.
type openMessage struct {
	Identity     engine.Identity
	Files, Tools int
}

// readyMessage says that the image is open.
type readyMessage struct{ Lacking confine.Lacking }

// loadMessage asks for a load. As many sources follow as it says.
type loadMessage struct {
	Sources       int
	Skipped       []string
	Error         string
	Grants        []Grant
	AssumeGranted bool
	Only          []string
	Sequential    bool
	Without       map[string]string
}

type callMessage struct {
	Number    int64 // of the call among those of the worker
	Explain   bool  // only read the arguments
	Tool      string
	Arguments []byte
	Client    engine.Client
}

// cancelMessage ends a call, unless that has ended already.
type cancelMessage struct {
	Number   int64
	Stopping string // the cause, where it is an engine.ErrStopping; empty: nobody waits for the call
}

// stopping is a cause of a parent's, as its worker knows it.
type stopping struct{ message string }

func (s *stopping) Error() string        { return s.message }
func (s *stopping) Is(target error) bool { return target == engine.ErrStopping }

func (m *cancelMessage) cause() error {
	if m.Stopping == "" {
		return errCancelled
	}
	return &stopping{m.Stopping}
}

// effectMessage is an effect of the call that runs.
type effectMessage struct {
	Number int64 // of the effect among those of the worker; 0: it is not answered
	Kind   string
	Args   map[string]any
}

// answerMessage is what came of an effect: a value, or a failure.
type answerMessage struct {
	Number  int64
	Value   any
	Failure failure
	Kind    engine.EffectKind // of an effectFailed
	Message string            // of what failed
}

// A failure says in which way an effect failed.
type failure uint8

const (
	succeeded    failure = iota
	effectFailed         // as an EffectError
	hostFailed           // with another error
	hostPanicked
	callEnded // the call ended while the effect was performed
)

// outcomeMessage is an engine.Outcome of a call.
type outcomeMessage struct {
	Status     engine.Status
	Content    []engine.Block
	Structured []byte
	Summary    string
	Notes      []string
	IsError    bool
	Reason     engine.Reason
	Message    string
	Class      string
	Reference  string
	Log        []attrMessage
	Detail     string
}

// attrMessage is an attribute of a log entry.
type attrMessage struct {
	Key   string
	Value any
}

// doneMessage is what a call came to: an outcome, or for one that is only
// explained, perhaps the arguments instead.
type doneMessage struct {
	Outcome   *outcomeMessage
	Arguments []byte
	Notes     []string
	Held      int64 // bytes that the worker holds of the machine's memory
}

type fileMessage struct{ File string }

type printMessage struct {
	File string
	Line int
	Text string
}

type problemMessage struct {
	Problem engine.Problem
	Warning bool
}

// reportMessage ends a load. Where there are no problems, an image of as many
// files and tools came before it.
type reportMessage struct {
	Loaded  bool
	Image   openMessage
	Files   int
	Skipped []string
}

func newOutcomeMessage(out engine.Outcome) *outcomeMessage {
	m := &outcomeMessage{
		Status: out.Status, Content: out.Content, Structured: out.Structured, Summary: out.Summary,
		Notes: out.Notes, IsError: out.IsError, Reason: out.Reason, Message: out.Message,
		Class: out.Class, Reference: out.Reference, Detail: out.Detail,
	}
	for _, attr := range out.Log {
		m.Log = append(m.Log, attrMessage{attr.Key, plainAttr(attr.Value.Resolve())})
	}
	return m
}

// plainAttr is an attribute's value as plain data.
func plainAttr(v slog.Value) any {
	switch v.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return v.Any()
	}
	return v.String()
}

func (m *outcomeMessage) outcome() engine.Outcome {
	out := engine.Outcome{
		Status: m.Status, Content: m.Content, Structured: m.Structured, Summary: m.Summary,
		Notes: m.Notes, IsError: m.IsError, Reason: m.Reason, Message: m.Message,
		Class: m.Class, Reference: m.Reference, Detail: m.Detail,
	}
	for _, attr := range m.Log {
		out.Log = append(out.Log, slog.Any(attr.Key, attr.Value))
	}
	return out
}

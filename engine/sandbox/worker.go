package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/starmcp/starmcp/builtins"
	"github.com/starmcp/starmcp/engine"
	"github.com/starmcp/starmcp/engine/sandbox/confine"
)

// workerArgument is the first argument of a process that is to be a worker. No
// command has this name.
const workerArgument = "(worker)"

// Config says what workers of this program have.
type Config struct {
	// Modules are further modules for scripts, beside the ones shipped.
	Modules []*builtins.Module
	// Policy makes the policy that reviews what tools need while they are
	// loaded. It touches nothing. Nil: no capability can be needed.
	Policy func(grants []Grant) engine.Policy
}

// RunWorker is to be called first in main, by programs that use this package.
// It returns at once in an ordinary process, and does not return in a worker.
func RunWorker(config Config) {
	if len(os.Args) < 2 || os.Args[1] != workerArgument {
		return
	}
	if err := runWorker(config, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// workerArguments is what runWorker reads.
func workerArguments(b confine.Bounds) []string {
	return []string{workerArgument, strconv.FormatInt(b.Memory, 10), strconv.Itoa(b.Stack), strconv.FormatBool(b.Unfiltered)}
}

func parseBounds(args []string) (b confine.Bounds, err error) {
	if len(args) != 3 {
		return b, errors.New("a worker is started by starmcp itself")
	}
	var memory, stack, unfiltered error
	b.Memory, memory = strconv.ParseInt(args[0], 10, 64)
	b.Stack, stack = strconv.Atoi(args[1])
	b.Unfiltered, unfiltered = strconv.ParseBool(args[2])
	return b, errors.Join(memory, stack, unfiltered)
}

func runWorker(config Config, args []string) error {
	bounds, err := parseBounds(args)
	if err != nil {
		return err
	}
	in := pollable(os.Stdin)
	self, err := confine.Self(bounds)
	if err != nil {
		return err
	}
	frames := newReceiver(in)
	w := &worker{config: config, lacking: self.Lacking, in: frames, inbox: newInbox(frames), out: &sender{to: self.Out}}
	if err := w.serve(); err != io.EOF {
		return err
	}
	return nil // nobody is there any more
}

// A worker does what its parent asks for, one thing at a time.
type worker struct {
	config  Config
	lacking confine.Lacking
	in      *receiver
	inbox   *inbox
	out     *sender
	table   *engine.Table // once an image is open
	calls   int
}

// serve does what it is asked for, until nobody asks any more.
func (w *worker) serve() error {
	for {
		m, err := w.inbox.next()
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *openMessage:
			err = w.open(m)
		case *loadMessage:
			err = w.load(m)
		case *callMessage:
			err = w.reply(w.answer(m))
		} // anything else came too late for its call
		if err != nil {
			return err
		}
	}
}

// read reads a message that must be the next.
func read[M any](in *receiver, want kind, m *M) error {
	k, data, err := in.receive()
	switch {
	case err != nil:
		return err
	case k != want:
		return fmt.Errorf("a frame of kind %d is unexpected here", k)
	}
	return decode(data, m, maxFrame)
}

// open opens an image, and gets ready for calls.
func (w *worker) open(m *openMessage) error {
	image := &engine.Image{
		Identity: m.Identity,
		Files:    make([]engine.FileImage, m.Files),
		Tools:    make([]engine.ToolImage, m.Tools),
	}
	for i := range image.Files {
		if err := read(w.in, kindFile, &image.Files[i]); err != nil {
			return err
		}
	}
	for i := range image.Tools {
		if err := read(w.in, kindTool, &image.Tools[i]); err != nil {
			return err
		}
	}
	host := &broker{out: w.out, inbox: w.inbox}
	w.table = image.Open(engine.Options{Policy: brokerage{host}, Modules: w.config.Modules, WatchMemory: true})
	return w.out.send(kindReady, readyMessage{w.lacking})
}

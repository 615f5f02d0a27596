package sandbox

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// A frame is a length in four bytes, little endian, that counts what follows: a
// byte that says what the frame is, and a message of that kind, encoded.
const (
	frameHead = 4
	// maxFrame bounds a frame in bytes: a result of the default limit with each
	// of its characters escaped, and an effect that carries a file.
	maxFrame = 16 << 20
	// keptBuffer is how large a buffer may be, in bytes, to be used again.
	keptBuffer = 256 << 10
)

// A kind says what a frame is.
type kind uint8

// The kinds of frames that a worker is sent.
const (
	kindOpen   kind = iota + 1 // open an image, whose files and tools follow
	kindLoad                   // load a snapshot, whose files follow
	kindSource                 // a file of a snapshot
	kindFile                   // a file of an image
	kindTool                   // a tool of an image
	kindCall                   // call a tool
	kindAnswer                 // what came of an effect
	kindCancel                 // nobody waits for a call any more
)

// The kinds of frames that a worker sends, beside those of an image.
const (
	kindReady   kind = iota + 32 // the image is open
	kindEffect                   // an effect is to be performed, and answered
	kindLog                      // the same, and not answered
	kindOutcome                  // what a call came to
	kindBegin                    // loading a file goes on
	kindEnd                      // a part of that is done
	kindWant                     // a file of the directory is missing from the snapshot
	kindPrint                    // a file printed while it was loaded
	kindProblem                  // something is wrong in the directory
	kindReport                   // the load is done
)

// A sender writes frames. It is safe for any number of goroutines.
type sender struct {
	mu     sync.Mutex
	to     io.Writer
	buffer []byte // frames that are still to be written
	due    bool   // they are going to be, soon
}

// send writes a frame, and with it what was put off before.
func (s *sender) send(k kind, message any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.add(k, message); err != nil {
		return err
	}
	return s.write()
}

// putOff adds a frame to those that the next one takes along.
func (s *sender) putOff(k kind, message any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.add(k, message); err != nil || len(s.buffer) < keptBuffer {
		return err
	}
	return s.write()
}

// soon bounds how long what is put off can wait, where that is asked for.
const soon = 50 * time.Millisecond

// putOffBriefly adds a frame to those that the next one takes along, or that go
// soon.
func (s *sender) putOffBriefly(k kind, message any) error {
	err := s.putOff(k, message)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.due && len(s.buffer) > 0 {
		s.due = true
		time.AfterFunc(soon, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.due = false
			s.write() // where it fails, the next frame does as well
		})
	}
	return err
}

// flush writes what was put off.
func (s *sender) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write()
}

func (s *sender) add(k kind, message any) (err error) {
	before := len(s.buffer)
	if s.buffer, err = appendFrame(s.buffer, k, message); err != nil {
		s.buffer = s.buffer[:before]
	}
	return err
}

func (s *sender) write() error {
	_, err := s.to.Write(s.buffer)
	if s.buffer = s.buffer[:0]; cap(s.buffer) > keptBuffer {
		s.buffer = nil
	}
	return err
}

// An oversizeError is a message that no frame may hold.
type oversizeError struct{ size int }

func (e *oversizeError) Error() string {
	return fmt.Sprintf("a frame of %d bytes is over the limit of %d", e.size, maxFrame)
}

// appendFrame appends a frame. Where it fails, dst is returned as it was.
func appendFrame(dst []byte, k kind, message any) ([]byte, error) {
	at := len(dst)
	framed, err := appendValue(append(dst, 0, 0, 0, 0, byte(k)), message)
	if err != nil {
		return dst, err
	}
	size := len(framed) - at - frameHead
	if size > maxFrame {
		return dst, &oversizeError{size}
	}
	binary.LittleEndian.PutUint32(framed[at:], uint32(size))
	return framed, nil
}

// A receiver reads frames. It is for one goroutine at a time.
type receiver struct {
	from   *bufio.Reader
	buffer []byte
}

func newReceiver(from io.Reader) *receiver {
	return &receiver{from: bufio.NewReaderSize(from, 32<<10)}
}

// receive reads a frame. The message is valid until the next one is read.
func (r *receiver) receive() (k kind, message []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size < 1 || size > maxFrame {
		return 0, nil, &oversizeError{int(size)}
	}
	if err := r.fill(int(size)); err != nil {
		return 0, nil, err
	}
	return kind(r.buffer[0]), r.buffer[1:], nil
}

// fill reads size bytes into the buffer, which grows with what has come rather
// than with what was announced.
func (r *receiver) fill(size int) error {
	if cap(r.buffer) > keptBuffer {
		r.buffer = nil
	}
	r.buffer = r.buffer[:0]
	for len(r.buffer) < size {
		have := len(r.buffer)
		next := min(size, max(2*have, keptBuffer))
		r.buffer = slices.Grow(r.buffer, next-have)[:next]
		if _, err := io.ReadFull(r.from, r.buffer[have:]); err != nil {
			return unexpected(err)
		}
	}
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

package files

import (
	"context"
	"path"
	"sync"
	"time"

	"github.com/starmcp/starmcp/engine"
)

const (
	laneWidth = 4               // effects at once in one filesystem
	patience  = time.Second     // how long all of them may be stuck before others are told
	mountsAge = 5 * time.Second // how long a list of mounts is taken for true
)

// A mount is where a filesystem is attached, and which one.
type mount struct {
	point string
	label string // for messages: its type and source
}

// lanes leads every effect into the filesystem that holds its path. The zero
// value is ready.
type lanes struct {
	mu      sync.Mutex
	byPoint map[string]*lane
	listed  time.Time
	listing bool
}

// of returns the lane of the filesystem that holds a path. It goes by the list
// of mounts, without touching the path: that could block.
func (ls *lanes) of(name string) *lane {
	ls.refresh()
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for {
		if l := ls.byPoint[name]; l != nil {
			return l
		}
		parent := path.Dir(name)
		if parent == name || parent == "." {
			l := newLane(mount{point: name})
			ls.byPoint[name] = l
			return l
		}
		name = parent
	}
}

// refresh lists the mounts anew where the list is old. One effect does so; the
// others go by the old list meanwhile, as this, too, could block.
func (ls *lanes) refresh() {
	ls.mu.Lock()
	current := ls.listing || time.Since(ls.listed) < mountsAge
	ls.listing = ls.listing || !current
	if ls.byPoint == nil {
		ls.byPoint = map[string]*lane{}
	}
	ls.mu.Unlock()
	if current {
		return
	}
	all := mounts()
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.take(all)
	ls.listed, ls.listing = time.Now(), false
}

// take replaces the list. The lanes of mounts that stay are kept, with who is
// in them.
func (ls *lanes) take(all []mount) {
	old := ls.byPoint
	ls.byPoint = make(map[string]*lane, len(all))
	for _, m := range all {
		l := old[m.point]
		if l == nil || l.mount != m {
			l = newLane(m)
		}
		ls.byPoint[m.point] = l
	}
}

// A lane lets a few effects at a time into one filesystem. They leave it for a
// moment after each of their steps, so that none waits long for a filesystem
// that answers.
type lane struct {
	mount mount
	slots chan struct{}

	mu    sync.Mutex
	moved time.Time // when one last entered or left
}

func newLane(m mount) *lane {
	return &lane{mount: m, slots: make(chan struct{}, laneWidth), moved: time.Now()}
}

// enter waits for a place while the filesystem answers those inside.
func (l *lane) enter(ctx context.Context) error {
	select {
	case l.slots <- struct{}{}:
		l.move()
		return nil
	default:
	}
	for {
		wait := patience - l.idle()
		if wait <= 0 {
			return l.stuck()
		}
		select {
		case l.slots <- struct{}{}:
			l.move()
			return nil
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (l *lane) leave() {
	l.move()
	<-l.slots
}

func (l *lane) move() {
	l.mu.Lock()
	l.moved = time.Now()
	l.mu.Unlock()
}

func (l *lane) idle() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.moved)
}

func (l *lane) stuck() error {
	name := printable(l.mount.point)
	if l.mount.label != "" {
		name += " (" + printable(l.mount.label) + ")"
	}
	return engine.Effectf(engine.TimedOut, "the filesystem at %s does not answer: %d effects wait for it already; try again once it is back", name, laneWidth)
}

// A pass is one effect's way through filesystems: it is inside one at a time.
type pass struct {
	ctx   context.Context
	lanes *lanes
	in    *lane
}

// to goes on to the filesystem that holds a path, if the caller still waits.
func (p *pass) to(path string) error { return p.enter(p.lanes.of(path)) }

// step lets others go first, between two steps that the filesystem answered.
func (p *pass) step() error { return p.enter(p.in) }

func (p *pass) enter(l *lane) error {
	p.end()
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	if err := l.enter(p.ctx); err != nil {
		return err
	}
	p.in = l
	return nil
}

func (p *pass) end() {
	if p.in != nil {
		p.in.leave()
		p.in = nil
	}
}

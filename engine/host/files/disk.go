package files

import (
	"context"
	"fmt"
	"runtime/debug"
)

// A Disk is the filesystems of this machine, as all tools share them. The zero
// value is ready.
type Disk struct {
	lanes lanes
}

// A View is what one tool may see of a [Disk]. It is safe for any number of
// goroutines. Its methods fail with an *engine.EffectError, or with the cause of
// the end of their context, which they never outlast.
type View struct {
	disk *Disk
	read scope
	stat scope
}

// View shows what the patterns allow: content and folders by read, metadata by
// read and stat.
func (d *Disk) View(read, stat []Pattern) *View {
	return &View{
		disk: d,
		read: scope{"read", read},
		stat: scope{"stat", append(stat[:len(stat):len(stat)], read...)},
	}
}

// within runs work where it may block for ever, and leaves it behind when the
// context ends. The path says which filesystem it begins in.
func within[T any](ctx context.Context, d *Disk, path []string, work func(*pass) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		crash string
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		p := &pass{ctx: ctx, lanes: &d.lanes}
		defer func() {
			p.end()
			if v := recover(); v != nil {
				o.crash = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
			done <- o
		}()
		if o.err = p.to(joined(path)); o.err == nil {
			o.value, o.err = work(p)
		}
	}()
	select {
	case o := <-done:
		if o.crash != "" {
			panic(o.crash) // where the caller can recover it
		}
		if o.err != nil && ctx.Err() != nil {
			return o.value, context.Cause(ctx)
		}
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

package files

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/starmcp/starmcp/engine"
)

// failure words an error of the system about something at a path. Errors that
// are worded already stay as they are.
func failure(err error, path string) error {
	if err == nil {
		return nil
	}
	if effect := (*engine.EffectError)(nil); errors.As(err, &effect) {
		return effect
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return engine.Effectf(engine.NotFound, "%s does not exist", path)
	case errors.Is(err, syscall.ENOTDIR):
		return engine.Effectf(engine.NotFound, "%s is not a folder", path)
	case errors.Is(err, syscall.ESRCH):
		return engine.Effectf(engine.NotFound, "%s belongs to a process that has ended", path)
	case errors.Is(err, fs.ErrPermission):
		return engine.Effectf(engine.Rejected, "%s: the system refuses it to the user that the server runs as", path)
	case errors.Is(err, syscall.ELOOP):
		return engine.Effectf(engine.Failed, "%s: more than %d symbolic links one after the other, or it keeps changing", path, maxLinks)
	}
	return engine.Effectf(engine.Failed, "%s: %s", path, reason(err))
}

// reason is the system's own text, without the path that Go may put around it.
func reason(err error) string {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	return err.Error()
}

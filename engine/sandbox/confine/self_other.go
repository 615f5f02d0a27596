//go:build !linux && !darwin && !windows

package confine

import (
	"errors"
)

// confine has nothing to put in force on this system.
func confine(Bounds) (Lacking, error) {
	return LacksMemory | LacksCPU | LacksFiles | LacksPrograms | LacksCalls | LacksParent, nil
}

func usage(int) (Usage, error) { return Usage{}, errors.ErrUnsupported }

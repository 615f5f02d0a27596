//go:build unix && !linux

package confine

import (
	"os/exec"
	"syscall"
)

func root() string { return "/" }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func start(cmd *exec.Cmd) error { return cmd.Start() }

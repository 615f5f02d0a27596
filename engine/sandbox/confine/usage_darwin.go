package confine

import (
	"os"
	"syscall"
	"unsafe"
)

// The system's own description of a process, of sys/proc_info.h.
const (
	sysProcInfo     = 336
	callPidInfo     = 2
	flavourTaskInfo = 4
)

// taskInfo is struct proc_taskinfo.
type taskInfo struct {
	virtual, resident uint64
	_                 [4]uint64 // times
	_                 [12]int32 // counts
}

func usage(pid int) (Usage, error) {
	var info taskInfo
	_, _, errno := syscall.Syscall6(sysProcInfo, callPidInfo, uintptr(pid), flavourTaskInfo, 0,
		uintptr(unsafe.Pointer(&info)), unsafe.Sizeof(info))
	if errno != 0 {
		return Usage{}, os.NewSyscallError("proc_info", errno)
	}
	return Usage{Resident: int64(info.resident)}, nil
}

package confine

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// A statm is what a process holds of memory, in bytes.
type statm struct{ size, resident, data int64 }

// readStatm reads a process's memory from proc(5): the numbers are pages, and
// the sixth is writable private memory, stacks with it.
func readStatm(pid string) (statm, error) {
	file := "/proc/" + pid + "/statm"
	text, err := os.ReadFile(file)
	if err != nil {
		return statm{}, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 6 {
		return statm{}, fmt.Errorf("%s has %d fields, want 6 or more", file, len(fields))
	}
	var n [6]int64
	for i := range n {
		pages, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return statm{}, fmt.Errorf("%s: %w", file, err)
		}
		n[i] = pages * int64(os.Getpagesize())
	}
	return statm{size: n[0], resident: n[1], data: n[5]}, nil
}

func usage(pid int) (Usage, error) {
	m, err := readStatm(strconv.Itoa(pid))
	return Usage{Resident: m.resident, Writable: m.data}, err
}

//go:build !unix

package main

import "os"

// claimStdout returns f for the protocol alone, and points os.Stdout at stderr:
// whatever prints there from then on does not reach the client.
func claimStdout(f, stderr *os.File) (*os.File, error) {
	os.Stdout = stderr
	return f, nil
}

package confine

import "os"

// wasKilled says whether the process ended with the status that this system has
// for one that was killed. One that ends itself with status 1 looks the same.
func wasKilled(state *os.ProcessState) bool { return state.ExitCode() == 1 }

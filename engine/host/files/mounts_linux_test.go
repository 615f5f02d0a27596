package files

import "testing"

func TestParseMount(t *testing.T) {
	for line, want := range map[string]mount{
		"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n": {"/mnt2", "ext3 /dev/root"},
		"22 27 0:21 / /proc rw,relatime - proc proc rw\n":                                  {"/proc", "proc"},
		`40 27 0:50 / /mnt/a\040b\134c rw - nfs4 srv:/x\011y rw`:                           {`/mnt/a b\c`, "nfs4 srv:/x\ty"},
		`40 27 0:50 / /mnt/\9\04 rw - fuse  rw`:                                            {`/mnt/\9\04`, "fuse rw"},
	} {
		if got, ok := parseMount(line); !ok || got != want {
			t.Errorf("parseMount(%q) = %v, %v", line, got, ok)
		}
	}
	for _, line := range []string{"", "x", "1 2 3 4 - ext4 x rw", "1 2 3 4 5 6 ext4", "1 2 3 4 5 - "} {
		if got, ok := parseMount(line); ok {
			t.Errorf("parseMount(%q) = %v", line, got)
		}
	}
}

func TestMountsHasRoot(t *testing.T) {
	for _, m := range mounts() {
		if m.point == "/" {
			return
		}
	}
	t.Error("nothing is mounted at /")
}

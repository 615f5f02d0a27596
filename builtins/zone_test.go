package builtins

import (
	"sync"
	"testing"
	"time"
)

func TestEveryZoneLoads(t *testing.T) {
	if len(zones()) < 400 {
		t.Fatalf("there are only %d zones", len(zones()))
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for name := range zones() {
				if loc, err := zone(name); err != nil || loc.String() != name {
					t.Errorf("%s: %v, %v", name, loc, err)
				}
			}
		})
	}
	group.Wait()
}

// TestMachineZoneDoesNotShow: package time replaces an offset that is also the
// machine's by the machine's zone, wherever it is let.
func TestMachineZoneDoesNotShow(t *testing.T) {
	berlin, err := zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	local := time.Local
	time.Local = berlin
	defer func() { time.Local = local }()
	v, err := parseMoment("2026-07-01T00:00:00+02:00", time.RFC3339, time.UTC)
	if want := "2026-07-01 00:00:00 +0200 +0200"; err != nil || v.String() != want {
		t.Errorf("got %v, %v, want %s", v, err, want)
	}
	now, err := FromPlain(time.Unix(0, 0))
	if want := "1970-01-01 00:00:00 +0000 UTC"; err != nil || now.String() != want {
		t.Errorf("got %v, %v, want %s", now, err, want)
	}
}

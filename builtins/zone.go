package builtins

import (
	"archive/zip"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/starmcp/starmcp/builtins/spell"
)

// zoneinfo is the IANA time zone database, which is in the public domain, as
// the Go distribution has it. Carrying it makes scripts see the same zones on
// every machine: time.LoadLocation prefers whatever the machine has installed.
//
//go:generate sh -c "cp \"$(go env GOROOT)/lib/time/zoneinfo.zip\" ."
//go:embed zoneinfo.zip
var zoneinfo string

// zones indexes zoneinfo by zone name when the first zone is asked for.
var zones = sync.OnceValue(func() map[string]*zip.File {
	archive, err := zip.NewReader(strings.NewReader(zoneinfo), int64(len(zoneinfo)))
	if err != nil {
		panic("builtins: zoneinfo.zip: " + err.Error())
	}
	files := make(map[string]*zip.File, len(archive.File))
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") {
			files[f.Name] = f
		}
	}
	return files
})

// loaded keeps the zones that were read, by name. There are some 600.
var loaded sync.Map

// zone returns the named time zone. There is no local one: a script gives the
// same result wherever it runs.
func zone(name string) (*time.Location, error) {
	switch name {
	case "UTC":
		return time.UTC, nil
	case "", "Local":
		return nil, fmt.Errorf("there is no local time zone here; name one, such as \"Europe/Berlin\" or \"UTC\"")
	}
	if loc, ok := loaded.Load(name); ok {
		return loc.(*time.Location), nil
	}
	file := zones()[name]
	if file == nil {
		return nil, unknownZone(name)
	}
	loc, err := readZone(file)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	loaded.Store(name, loc)
	return loc, nil
}

func readZone(file *zip.File) (*time.Location, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(file.Name, data)
}

func unknownZone(name string) error {
	names := slices.Sorted(maps.Keys(zones()))
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no time zone %s, did you mean %q?", quoteShort(name), near)
	}
	return fmt.Errorf("there is no time zone %s; zones have names such as \"Europe/Berlin\" or \"UTC\"", quoteShort(name))
}

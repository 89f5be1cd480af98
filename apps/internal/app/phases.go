package app

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// Phases measures the phases of a command: the elapsed time and, with Stats, the
// launches and transfers of the devices.
type Phases struct {
	Stats bool

	done  []phase
	now   string
	start time.Time
	stats devices.Stats
}

// phase is one measured phase.
type phase struct {
	Name  string
	Time  time.Duration
	Stats devices.Stats
}

// Start ends the current phase and begins the one called name. It does nothing if
// that phase is the current one. Enqueued work counts in the phase that waits for it.
func (p *Phases) Start(name string) {
	if p.now == name {
		return
	}
	p.Stop()
	if p.Stats {
		devices.SetTiming(true)
	}
	p.now, p.start, p.stats = name, time.Now(), devices.TotalStats()
}

// Stop ends the current phase.
func (p *Phases) Stop() {
	if p.now != "" {
		p.done = append(p.done, phase{p.now, time.Since(p.start), devices.TotalStats().Sub(p.stats)})
	}
	p.now = ""
}

// Time returns how long the phases called name took together so far.
func (p *Phases) Time(name string) (sum time.Duration) {
	for _, d := range p.done {
		if d.Name == name {
			sum += d.Time
		}
	}
	if p.now == name {
		sum += time.Since(p.start)
	}
	return sum
}

// total returns how long all phases took together so far.
func (p *Phases) total() (sum time.Duration) {
	for _, d := range p.done {
		sum += d.Time
	}
	if p.now != "" {
		sum += time.Since(p.start)
	}
	return sum
}

// Fprint writes the phases as a table.
func (p *Phases) Fprint(w io.Writer) {
	columns := []any{"phase", "time", "launches", "on device", "builds", "up", "down", "copied"}
	pages := slices.ContainsFunc(p.done, func(d phase) bool { return d.Stats.LoadedBytes+d.Stats.SavedBytes > 0 })
	if pages { // data larger than the memory of the device
		columns = append(columns, "loaded", "saved")
	}
	t := Table(columns...)
	for _, d := range p.done {
		s := d.Stats
		row := []any{
			d.Name, Duration(d.Time), s.Launches, Duration(s.DeviceTime), s.Builds,
			Bytes(s.UploadBytes), Bytes(s.DownloadBytes), Bytes(s.CopyBytes),
		}
		if pages {
			row = append(row, Bytes(s.LoadedBytes), Bytes(s.SavedBytes))
		}
		t.AppendRow(row)
	}
	AlignRight(t, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	fmt.Fprintln(w, t.Render())
}

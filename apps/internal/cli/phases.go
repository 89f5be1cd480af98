package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/skelgo/skelgo/devices"
)

// Phases measures a command from one phase to the next: the time by the
// clock, and what the devices did meanwhile.
type Phases struct {
	done  []Phase
	now   string
	start time.Time
	stats devices.Stats
}

// Phase is one measured phase.
type Phase struct {
	Name  string
	Time  time.Duration
	Stats devices.Stats
}

// Start ends the phase before and begins the one called name. Work that was
// enqueued and not waited for counts where it is waited for. From the first
// phase on, devices are timed.
func (p *Phases) Start(name string) {
	p.Stop()
	devices.SetTiming(true)
	p.now, p.start, p.stats = name, time.Now(), devices.TotalStats()
}

// Stop ends the phase.
func (p *Phases) Stop() {
	if p.now != "" {
		p.done = append(p.done, Phase{p.now, time.Since(p.start), devices.TotalStats().Sub(p.stats)})
	}
	p.now = ""
}

// Time is how long the phase called name took; 0 when there was none.
func (p *Phases) Time(name string) time.Duration {
	for _, d := range p.done {
		if d.Name == name {
			return d.Time
		}
	}
	return 0
}

// Fprint writes the phases as a table.
func (p *Phases) Fprint(w io.Writer) {
	t := Table("phase", "time", "launches", "on device", "builds", "up", "down", "copied")
	for _, d := range p.done {
		s := d.Stats
		t.AppendRow([]any{d.Name, Duration(d.Time), s.Launches, Duration(s.DeviceTime), s.Builds, Bytes(s.UploadBytes), Bytes(s.DownloadBytes), Bytes(s.CopyBytes)})
	}
	AlignRight(t, 2, 3, 4, 5, 6, 7, 8)
	fmt.Fprintln(w, t.Render())
}

// Duration shows a duration with three digits.
func Duration(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < 1000*time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}

// Bytes shows a number of bytes with three digits.
func Bytes(n int64) string {
	v, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && v >= 1000 {
		v, units = v/1024, units[1:]
	}
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g %s", v, units[0])
}

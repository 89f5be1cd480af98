package devices

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/mpi"
)

// Copy is a copy of N bytes, from byte offset From of Src to byte offset Off of Dst.
type Copy struct {
	Dst  *Buffer
	Off  int64
	Src  *Buffer
	From int64
	N    int64
}

// CopyAll makes copies as [Buffer.Copy] does. None of them may read or write what another one writes. Over
// several ranks, copies that are given together take less time than one after the other: devices copy in both
// directions at the same time, and four ranks or more pass on small pieces, so that none gets a message from every
// other one. After an error, some of the copies may have been made.
func CopyAll(copies []Copy) error {
	var far []mpi.Copy
	together := len(copies) > 1 && Current() == nil // a recording has one after the other
	for _, c := range copies {
		if together {
			if x, ok := c.betweenRanks(); ok {
				far = append(far, x)
				continue
			}
		}
		if err := c.Dst.Copy(c.Off, c.Src, c.From, c.N); err != nil {
			return err
		}
	}
	if len(far) == 0 {
		return nil
	}
	return copyFar(copies, far)
}

// betweenRanks returns what ranks do for a copy between them, and whether it is one. Copies of nothing and wrong
// ones are left to Buffer.Copy.
func (c *Copy) betweenRanks() (mpi.Copy, bool) {
	to, ok := c.Dst.raw.(*mpi.Buffer)
	from, joint := c.Src.raw.(*mpi.Buffer)
	if !ok || !joint || c.N == 0 || c.Dst.dev.Rank() == c.Src.dev.Rank() ||
		firstError(c.Dst.check("copy", c.Off, c.N), c.Src.check("copy", c.From, c.N)) != nil {
		return mpi.Copy{}, false
	}
	return mpi.Copy{Dst: to, Off: c.Off, Src: from, From: c.From, N: c.N}, true
}

// copyFar makes those of the copies that are between ranks.
func copyFar(copies []Copy, far []mpi.Copy) error {
	start, world := traceNow(), ranks.world
	var own []*Device // whose queues are used; captures of them wait
	for _, c := range copies {
		for _, d := range []*Device{c.Dst.dev, c.Src.dev} {
			if d.Rank() == world.Rank() && !slices.Contains(own, d) {
				own = append(own, d)
			}
		}
	}
	slices.SortFunc(own, func(a, b *Device) int { return a.lane - b.lane })
	for _, d := range own {
		d.gate.RLock()
		defer d.gate.RUnlock()
	}
	if err := world.CopyAll(far); err != nil {
		return fmt.Errorf("%d copies between ranks: %w", len(far), err)
	}
	for _, c := range copies {
		if _, ok := c.betweenRanks(); !ok {
			continue
		}
		d := c.Dst.dev
		d.stats.copies.Add(1)
		d.stats.copyBytes.Add(c.N)
		d.enqueued(work{event: driver.Done, start: start, label: "copy from " + c.Src.dev.id, bytes: c.N})
	}
	return nil
}

package devices

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stats holds counters of a device, or sums over all devices. To measure a
// piece of work, take Stats before and after it and subtract.
type Stats struct {
	Uploads, Downloads, Copies            int64 // calls of Write, Read and Copy that moved data
	Launches                              int64
	Builds                                int64 // kernels built from source
	CacheHits                             int64 // kernels loaded from disk
	UploadBytes, DownloadBytes, CopyBytes int64
	LoadedBytes, SavedBytes               int64 // moved because pages hold more than the memory; see Device.Pages
	LiveBuffers, LiveBytes                int64 // in use now
	PeakBytes                             int64 // maximum of LiveBytes
	// allocations, including those from the pool and those shared by kernels
	Allocs, AllocBytes int64
	DeviceTime         time.Duration // in finished kernels; see SetTiming
	BuildTime          time.Duration
	TransferTime       time.Duration // in Write and Read, including the wait for earlier work
}

// Sub returns the difference s - t. LiveBuffers and LiveBytes are the change;
// PeakBytes is that of s.
func (s Stats) Sub(t Stats) Stats {
	return s.combine(t, -1, s.PeakBytes)
}

// combine returns s + sign*t with the given peak.
func (s Stats) combine(t Stats, sign, peak int64) Stats {
	return Stats{
		Uploads:       s.Uploads + sign*t.Uploads,
		Downloads:     s.Downloads + sign*t.Downloads,
		Copies:        s.Copies + sign*t.Copies,
		Launches:      s.Launches + sign*t.Launches,
		Builds:        s.Builds + sign*t.Builds,
		CacheHits:     s.CacheHits + sign*t.CacheHits,
		UploadBytes:   s.UploadBytes + sign*t.UploadBytes,
		DownloadBytes: s.DownloadBytes + sign*t.DownloadBytes,
		CopyBytes:     s.CopyBytes + sign*t.CopyBytes,
		LoadedBytes:   s.LoadedBytes + sign*t.LoadedBytes,
		SavedBytes:    s.SavedBytes + sign*t.SavedBytes,
		LiveBuffers:   s.LiveBuffers + sign*t.LiveBuffers,
		LiveBytes:     s.LiveBytes + sign*t.LiveBytes,
		PeakBytes:     peak,
		Allocs:        s.Allocs + sign*t.Allocs,
		AllocBytes:    s.AllocBytes + sign*t.AllocBytes,
		DeviceTime:    s.DeviceTime + time.Duration(sign)*t.DeviceTime,
		BuildTime:     s.BuildTime + time.Duration(sign)*t.BuildTime,
		TransferTime:  s.TransferTime + time.Duration(sign)*t.TransferTime,
	}
}

// counters holds the running values of Stats.
type counters struct {
	uploads, downloads, copies            atomic.Int64
	launches, builds, cacheHits           atomic.Int64
	uploadBytes, downloadBytes, copyBytes atomic.Int64
	liveBuffers, liveBytes, peakBytes     atomic.Int64
	lowBytes                              atomic.Int64 // the fewest live bytes since forgetLow
	allocs, allocBytes                    atomic.Int64
	deviceTime, buildTime, transferTime   atomic.Int64
}

// alloc counts an allocation.
func (c *counters) alloc(bytes int64) {
	c.allocs.Add(1)
	c.allocBytes.Add(bytes)
}

// live counts buffers that were allocated or, if negative, freed.
func (c *counters) live(buffers, bytes int64) {
	c.liveBuffers.Add(buffers)
	now := c.liveBytes.Add(bytes)
	for peak := c.peakBytes.Load(); now > peak && !c.peakBytes.CompareAndSwap(peak, now); {
		peak = c.peakBytes.Load()
	}
	for low := c.lowBytes.Load(); now < low && !c.lowBytes.CompareAndSwap(low, now); {
		low = c.lowBytes.Load()
	}
}

// forgetLow lets lowBytes begin with the live bytes of now.
func (c *counters) forgetLow() { c.lowBytes.Store(c.liveBytes.Load()) }

// Stats returns the counters of this device, of its pages and of calls in PerRank. DeviceTime excludes kernels that
// are still running; call Sync first to include them.
func (d *Device) Stats() Stats {
	total := d.stats.stats()
	total.LoadedBytes, total.SavedBytes = d.pages.moved()
	for _, p := range d.pages.all() {
		s := p.stats.stats()
		total = total.combine(s, 1, total.PeakBytes+s.PeakBytes)
	}
	if own := d.own.Load(); own != nil {
		s := own.stats.stats()
		total = total.combine(s, 1, total.PeakBytes+s.PeakBytes)
	}
	return total
}

// stats returns the values of the counters.
func (c *counters) stats() Stats {
	return Stats{
		Uploads:       c.uploads.Load(),
		Downloads:     c.downloads.Load(),
		Copies:        c.copies.Load(),
		Launches:      c.launches.Load(),
		Builds:        c.builds.Load(),
		CacheHits:     c.cacheHits.Load(),
		UploadBytes:   c.uploadBytes.Load(),
		DownloadBytes: c.downloadBytes.Load(),
		CopyBytes:     c.copyBytes.Load(),
		LiveBuffers:   c.liveBuffers.Load(),
		LiveBytes:     c.liveBytes.Load(),
		PeakBytes:     c.peakBytes.Load(),
		Allocs:        c.allocs.Load(),
		AllocBytes:    c.allocBytes.Load(),
		DeviceTime:    time.Duration(c.deviceTime.Load()),
		BuildTime:     time.Duration(c.buildTime.Load()),
		TransferTime:  time.Duration(c.transferTime.Load()),
	}
}

// TotalStats returns the sum over all devices of the program, including closed
// ones. PeakBytes is the sum of their peaks.
func TotalStats() Stats {
	devs, total := opened.all()
	for _, d := range devs {
		if d.base != nil || d.of != nil { // its device includes it
			continue
		}
		s := d.Stats()
		total = total.combine(s, 1, total.PeakBytes+s.PeakBytes)
	}
	return total
}

// opened holds every open device and the sum of the counters of closed ones.
var opened openDevices

type openDevices struct {
	mu     sync.Mutex
	devs   []*Device
	closed Stats
	lanes  int
}

func (o *openDevices) add(d *Device) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.devs = append(o.devs, d)
	o.lanes++
	d.lane = o.lanes
}

func (o *openDevices) remove(d *Device) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, e := range o.devs {
		if e == d {
			o.devs = append(o.devs[:i:i], o.devs[i+1:]...)
			if d.base != nil || d.of != nil {
				return
			}
			s := d.Stats()
			o.closed = o.closed.combine(s, 1, o.closed.PeakBytes+s.PeakBytes)
		}
	}
}

func (o *openDevices) all() ([]*Device, Stats) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]*Device(nil), o.devs...), o.closed
}

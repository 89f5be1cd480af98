package devices

import (
	"sync"
	"sync/atomic"
	"time"
)

// Stats counts what happened on a device, or on all of them. Take it before
// and after a piece of work and subtract.
type Stats struct {
	Uploads, Downloads, Copies            int64 // calls of Write, Read and Copy that moved anything
	Launches                              int64
	Builds                                int64 // kernels built from source
	CacheHits                             int64 // kernels taken from disk instead
	UploadBytes, DownloadBytes, CopyBytes int64
	LiveBuffers, LiveBytes                int64         // held now
	PeakBytes                             int64         // most ever held at once
	Allocs, AllocBytes                    int64         // buffers handed out, from the pool too, and what kernels of the device share
	DeviceTime                            time.Duration // in kernels that have been waited for; see SetTiming
	BuildTime                             time.Duration
	TransferTime                          time.Duration // in Write and Read, the wait for earlier work included
}

// Sub is what happened since t. LiveBuffers and LiveBytes are the change, and
// PeakBytes stays what it is.
func (s Stats) Sub(t Stats) Stats {
	return s.combine(t, -1, s.PeakBytes)
}

// combine is s + sign*t, with the given peak.
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

// counters is Stats as it grows.
type counters struct {
	uploads, downloads, copies            atomic.Int64
	launches, builds, cacheHits           atomic.Int64
	uploadBytes, downloadBytes, copyBytes atomic.Int64
	liveBuffers, liveBytes, peakBytes     atomic.Int64
	allocs, allocBytes                    atomic.Int64
	deviceTime, buildTime, transferTime   atomic.Int64
}

// alloc counts memory that was handed out.
func (c *counters) alloc(bytes int64) {
	c.allocs.Add(1)
	c.allocBytes.Add(bytes)
}

// live counts buffers that came or went.
func (c *counters) live(buffers, bytes int64) {
	c.liveBuffers.Add(buffers)
	now := c.liveBytes.Add(bytes)
	for peak := c.peakBytes.Load(); now > peak && !c.peakBytes.CompareAndSwap(peak, now); {
		peak = c.peakBytes.Load()
	}
}

// Stats counts what happened on this device. Kernels still running are not in
// DeviceTime; Sync first to have them in.
func (d *Device) Stats() Stats {
	c := &d.stats
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

// TotalStats is the sum over all devices of the program, closed ones too.
// PeakBytes is the sum of their peaks.
func TotalStats() Stats {
	devs, total := opened.all()
	for _, d := range devs {
		s := d.Stats()
		total = total.combine(s, 1, total.PeakBytes+s.PeakBytes)
	}
	return total
}

// opened holds every device, and the sum of those that were closed.
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

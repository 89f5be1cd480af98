package mpi

import (
	"errors"
	"fmt"
	"sync"

	"github.com/skelgo/skelgo/devices/driver"
)

// Device is a device of this rank or, if local is nil, a ghost: a device of another rank.
type Device struct {
	world  *World
	id     string // "1/cuda:0"
	owner  int    // rank
	info   driver.Info
	same   string // driver.Identity of the owner's device
	lends  bool   // the owner's device is a driver.Lender
	copied string // names a copy from the device
	local  driver.Device

	mu     sync.Mutex
	failed error // what this rank alone knows, until all ranks see it at the next read
	lacks  int   // number of buffers without memory
	lack   error // why
}

// timedDevice is a Device whose owner's device implements driver.Timing.
type timedDevice struct{ *Device }

// SetTiming forwards to the device of this rank.
func (d timedDevice) SetTiming(on bool) {
	if t, ok := d.local.(driver.Timing); ok {
		t.SetTiming(on)
	}
}

// recordingDevice is a timedDevice whose owner's device implements driver.Recorder.
type recordingDevice struct{ timedDevice }

// Record begins a recording on the device of this rank.
func (d recordingDevice) Record() error {
	if r, ok := d.local.(driver.Recorder); ok {
		return r.Record()
	}
	return nil
}

// EndRecord ends the recording.
func (d recordingDevice) EndRecord() (driver.Recording, error) {
	r, ok := d.local.(driver.Recorder)
	if !ok {
		return ghostRecording{}, nil
	}
	rec, err := r.EndRecord()
	if err != nil {
		return nil, err
	}
	return ownRecording{rec, d.Device}, nil
}

// ownRecording is a recording of this rank.
type ownRecording struct {
	driver.Recording
	dev *Device
}

// Replay keeps its error, which only this rank sees.
func (r ownRecording) Replay() (driver.Event, error) {
	ev, err := r.Recording.Replay()
	if err != nil {
		r.dev.Keep(err)
		return driver.Done, nil
	}
	return ev, nil
}

// ghostRecording is a recording of another rank.
type ghostRecording struct{}

func (ghostRecording) Replay() (driver.Event, error) { return driver.Done, nil }
func (ghostRecording) Close() error                  { return nil }

// Info returns what the owner says, so that all ranks decide alike.
func (d *Device) Info() driver.Info { return d.info }

// Identity identifies the device among those of its machine.
func (d *Device) Identity() string { return d.same }

// Owner returns the rank that has the device.
func (d *Device) Owner() int { return d.owner }

// Ghost reports whether another rank has the device.
func (d *Device) Ghost() bool { return d.local == nil }

// Local returns the device itself, without other ranks; nil for a ghost.
func (d *Device) Local() driver.Device { return d.local }

// Note adds a call on the device, which sends nothing, to the history of calls that all ranks
// make.
func (d *Device) Note(what string, count int64) { d.world.Note(what, d.id, count) }

// Quiet is World.Quiet.
func (d *Device) Quiet() (end func()) { return d.world.Quiet() }

// IsQuiet reports whether calls are not noted now.
func (d *Device) IsQuiet() bool { return d.world.quiet.Load() > 0 }

// Keep keeps an error that only this rank has seen until all ranks see it, when the device
// is read.
func (d *Device) Keep(err error) {
	if err == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed == nil {
		d.failed = err
	}
}

// failure returns and clears the error that Keep has kept.
func (d *Device) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.failed
	d.failed = nil
	return err
}

// Kept returns the error that Keep has kept, until all ranks have seen it. What was copied from the
// device may be as wrong as what is read from it, so both find it.
func (d *Device) Kept() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// Same copies p of the owner to all ranks. It returns the error that the owner has kept, on
// all ranks.
func (d *Device) Same(what string, p []byte) error {
	return d.world.Share(d.owner, what, d.id, p, d.failure)
}

// Alloc allocates memory of the owner. A ghost has none.
func (d *Device) Alloc(n int64) (driver.Buffer, error) {
	if d.local == nil {
		return absent(d, n)
	}
	raw, err := d.local.Alloc(n)
	if err != nil {
		return nil, err
	}
	return &Buffer{dev: d, n: n, raw: raw}, nil
}

// Without returns a buffer that stands for memory that this rank could not allocate. Kernels that
// would use it do not run, and the error is kept.
func (d *Device) Without(n int64, err error) (driver.Buffer, error) {
	b, e := absent(d, n)
	if e != nil {
		return nil, errors.Join(err, e)
	}
	d.Keep(err)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lacks++
	d.lack = err
	b.lacking = true
	return b, nil
}

// Own returns the memory of a buffer of the device, or nil if this rank has none.
func (d *Device) Own(b driver.Buffer) driver.Buffer {
	if x, ok := b.(*Buffer); ok && x.raw != nil {
		return x.raw
	}
	return nil
}

// Lacking returns why a buffer of the device has no memory, or nil if all have.
func (d *Device) Lacking() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lacks == 0 {
		return nil
	}
	return d.lack
}

// Build builds nothing on a ghost.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	if d.local == nil {
		return &kernel{dev: d}, nil
	}
	k, err := d.local.Build(p)
	if err != nil {
		return nil, err
	}
	return &kernel{d, k}, nil
}

// Run runs a Go function on a native device.
func (d *Device) Run(grid driver.Grid, f func(driver.Group)) error {
	if d.local == nil {
		return nil
	}
	r, ok := d.local.(driver.Runner)
	if !ok {
		return fmt.Errorf("mpi: %s cannot run Go functions", d.id)
	}
	if err := d.Lacking(); err != nil {
		d.Keep(err)
		return nil
	}
	return r.Run(grid, f)
}

// Sync waits for the device of this rank.
func (d *Device) Sync() error {
	if d.local == nil {
		return nil
	}
	return d.local.Sync()
}

// Close closes a device of this rank.
func (d *Device) Close() error {
	if d.local == nil {
		return nil
	}
	return d.local.Close()
}

// Fingerprint identifies the compiler of a device of this rank.
func (d *Device) Fingerprint() string {
	if f, ok := d.local.(driver.Fingerprint); ok {
		return f.Fingerprint()
	}
	return ""
}

// Handle returns the handle of a device of this rank.
func (d *Device) Handle() uintptr {
	if h, ok := d.local.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// kernel is a kernel of this rank, or of a ghost.
type kernel struct {
	dev *Device
	raw driver.Kernel
}

// Launch does nothing on a ghost, or if an argument has no memory.
func (k *kernel) Launch(grid driver.Grid, args ...driver.Arg) (driver.Event, error) {
	if k.raw == nil {
		return driver.Done, nil
	}
	own := make([]driver.Arg, len(args))
	for i, a := range args {
		if a.Buf != nil {
			b, ok := a.Buf.(*Buffer)
			if !ok {
				return nil, fmt.Errorf("mpi: argument %d is memory of another device (%T)", i, a.Buf)
			}
			if b.raw == nil {
				k.dev.Keep(k.dev.Lacking())
				return driver.Done, nil
			}
			a.Buf = b.raw
		}
		own[i] = a
	}
	ev, err := k.raw.Launch(grid, own...)
	if err != nil {
		return nil, err
	}
	return ev, nil
}

// Binary returns the kernel for the cache on disk.
func (k *kernel) Binary() ([]byte, error) {
	if b, ok := k.raw.(driver.Binary); ok {
		return b.Binary()
	}
	return nil, errors.New("mpi: a kernel of another rank has no binary here")
}

// Handle returns the handle of a kernel of this rank.
func (k *kernel) Handle() uintptr {
	if h, ok := k.raw.(driver.Handle); ok {
		return h.Handle()
	}
	return 0
}

// Close closes a kernel of this rank.
func (k *kernel) Close() error {
	if k.raw == nil {
		return nil
	}
	return k.raw.Close()
}

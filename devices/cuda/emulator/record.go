package emulator

import (
	"crypto/sha256"
	"errors"

	"github.com/skelgo/skelgo/devices/driver"
)

// Recording holds what was enqueued between Record and EndRecord.
type Recording struct {
	dev    *Device
	steps  []func() error
	closed bool
}

// Record begins a recording.
func (d *Device) Record() error {
	return d.atOnce("record", func() error {
		d.recording = &Recording{dev: d}
		return nil
	})
}

// EndRecord ends the recording and returns it.
func (d *Device) EndRecord() (driver.Recording, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.recording
	if r == nil {
		return nil, errors.New("emulator: no recording is in progress")
	}
	d.recording = nil
	return r, nil
}

// Replay executes everything that was recorded.
func (r *Recording) Replay() (driver.Event, error) {
	return driver.Done, r.dev.atOnce("replay", func() error {
		if r.closed {
			return errors.New("emulator: the recording is closed")
		}
		for _, do := range r.steps {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close releases the recording.
func (r *Recording) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	r.closed, r.steps = true, nil
	return nil
}

// Binary returns the kernel's library preceded by its SHA-256, because a
// damaged library must not be opened.
func (k *Kernel) Binary() ([]byte, error) {
	sum := sha256.Sum256(k.image)
	return append(sum[:], k.image...), nil
}

// unseal checks and removes the SHA-256 that Binary added.
func unseal(b []byte) ([]byte, error) {
	if len(b) > sha256.Size && sha256.Sum256(b[sha256.Size:]) == [sha256.Size]byte(b) {
		return b[sha256.Size:], nil
	}
	return nil, errors.New("the binary is damaged")
}

package drivertest

import (
	"errors"

	"github.com/skelgo/skelgo/devices/driver"
)

// fakeRecording holds what was enqueued between Record and EndRecord.
type fakeRecording struct {
	dev    *FakeDevice
	tasks  []func() error
	closed bool
}

// Record starts to record work instead of executing it.
func (d *FakeDevice) Record() error {
	if err := d.record(Call{Op: Record}); err != nil {
		return err
	}
	d.running.Lock()
	defer d.running.Unlock()
	if d.recording != nil {
		return errors.New("fake: already recording")
	}
	d.recording = &fakeRecording{dev: d}
	return nil
}

// EndRecord returns the recording.
func (d *FakeDevice) EndRecord() (driver.Recording, error) {
	d.running.Lock()
	r := d.recording
	d.recording = nil
	d.running.Unlock()
	if r == nil {
		return nil, errors.New("fake: not recording")
	}
	if err := d.record(Call{Op: EndRecord, Args: len(r.tasks)}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.recordings++
	d.mu.Unlock()
	return r, nil
}

// refuse returns an error for a call that is invalid while recording.
func (d *FakeDevice) refuse(op Op) error {
	d.running.Lock()
	defer d.running.Unlock()
	if d.recording != nil {
		return errors.New("fake: " + string(op) + " while recording")
	}
	return nil
}

func (r *fakeRecording) Replay() (driver.Event, error) {
	if err := r.dev.record(Call{Op: Replay, Args: len(r.tasks)}); err != nil {
		return nil, err
	}
	if r.closed {
		return nil, errors.New("fake: the recording is closed")
	}
	return r.dev.enqueue(func() error {
		for _, do := range r.tasks {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *fakeRecording) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed {
		return errors.New("fake: recording closed twice")
	}
	r.closed = true
	r.dev.recordings--
	return nil
}

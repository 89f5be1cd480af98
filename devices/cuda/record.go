package cuda

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
)

// recorder is a recording in progress.
type recorder struct {
	buffers map[*Buffer]struct{} // the buffers that it uses
	freed   []*Buffer            // buffers freed while recording
}

// Record begins a recording: work enqueued from now on, by any goroutine, is
// recorded in a graph and not executed.
func (d *Device) Record() error {
	if err := d.open(); err != nil {
		return err
	}
	d.waits.Lock()
	defer d.waits.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rec != nil {
		return errors.New("cuda: a recording is already in progress")
	}
	if err := d.queue.BeginCapture(cu.CaptureRelaxed); err != nil {
		return fmt.Errorf("cuda: record: %w", err)
	}
	d.rec = &recorder{buffers: map[*Buffer]struct{}{}}
	return nil
}

// EndRecord ends the recording and returns it.
func (d *Device) EndRecord() (driver.Recording, error) {
	rec, graph, err := d.endCapture()
	if rec == nil {
		return nil, errors.New("cuda: no recording is in progress")
	}
	for _, b := range rec.freed {
		err = join(err, d.free(b))
	}
	var exec *cu.GraphExec
	if err == nil {
		exec, err = graph.Instantiate()
	}
	if err == nil {
		err = exec.Upload(d.queue)
	}
	if graph != nil {
		err = join(err, graph.Destroy())
	}
	if err != nil {
		if exec != nil {
			err = join(err, exec.Destroy())
		}
		return nil, fmt.Errorf("cuda: record: %w", err)
	}
	d.holders.Add(1)
	r := &Recording{dev: d, exec: exec}
	for b := range rec.buffers {
		r.buffers = append(r.buffers, b)
	}
	return r, nil
}

// endCapture ends the recording. It returns nil if there was none.
func (d *Device) endCapture() (*recorder, *cu.Graph, error) {
	d.waits.Lock()
	defer d.waits.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	rec := d.rec
	if rec == nil {
		return nil, nil, nil
	}
	d.rec = nil
	graph, err := d.queue.EndCapture()
	return rec, graph, err
}

// endRecording discards a recording that is still in progress.
func (d *Device) endRecording() error {
	d.mu.Lock()
	recording := d.rec != nil
	d.mu.Unlock()
	if !recording {
		return nil
	}
	r, err := d.EndRecord()
	if err != nil {
		return err
	}
	return r.Close()
}

// Recording is a CUDA graph. Its buffers and kernels must outlive it.
type Recording struct {
	dev     *Device
	exec    *cu.GraphExec
	buffers []*Buffer
	closed  bool // guarded by Device.mu
}

// Handle returns the CUgraphExec.
func (r *Recording) Handle() uintptr { return r.exec.Handle() }

// Replay enqueues everything that was recorded.
func (r *Recording) Replay() (driver.Event, error) {
	d := r.dev
	d.mu.Lock()
	ev, err := r.replay()
	d.mu.Unlock()
	if err != nil {
		return driver.Done, fmt.Errorf("cuda: replay: %w", err)
	}
	if e, ok := ev.(*event); ok {
		d.events.settle(d.events.add(e))
	}
	return ev, nil
}

func (r *Recording) replay() (driver.Event, error) {
	d := r.dev
	if err := r.join(); err != nil {
		return nil, err
	}
	switch {
	case r.closed:
		return nil, errors.New("the recording is closed")
	case d.rec != nil:
		return nil, errors.New("another recording is in progress")
	}
	e, err := d.startTimer()
	if err != nil {
		return nil, err
	}
	if err := r.exec.Launch(d.queue); err != nil {
		d.abandon(e)
		return nil, err
	}
	seq := d.enqueued()
	for _, b := range r.buffers {
		b.use = seq
	}
	return d.stopTimer(e)
}

// join makes the queue wait for the transfers of the recording's buffers.
func (r *Recording) join() error {
	d := r.dev
	for again := true; again; {
		again = false
		for _, b := range r.buffers {
			if b.freed.Load() {
				return errors.New("a buffer that it uses has been freed")
			}
			again = !d.still(b) || again
		}
	}
	for _, b := range r.buffers {
		if err := d.join(b); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the recording when its replays have finished.
func (r *Recording) Close() error {
	d := r.dev
	d.mu.Lock()
	if r.closed {
		d.mu.Unlock()
		return nil
	}
	r.closed = true
	d.mu.Unlock()
	err := d.await(d.seq.Load())
	if err == errRecording {
		err = nil
	}
	return named(join(err, r.exec.Destroy(), d.drop()))
}

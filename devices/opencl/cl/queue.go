package cl

import "unsafe"

var (
	clFlush                      = newFunction("clFlush")
	clFinish                     = newFunction("clFinish")
	clEnqueueNDRangeKernel       = newFunction("clEnqueueNDRangeKernel")
	clEnqueueMarkerWithWaitList  = newFunction("clEnqueueMarkerWithWaitList")
	clEnqueueBarrierWithWaitList = newFunction("clEnqueueBarrierWithWaitList")
)

// In all Enqueue calls wait, which may be nil, holds events that must be done
// before; and ev, which may be nil, becomes the event of the command, to be
// released when it is no longer needed.

// Flush sends all that was enqueued to the device, and does not wait for it.
func (q *CommandQueue) Flush() error { return clFlush.call5(q.Handle(), 0, 0, 0, 0) }

// Finish waits until all that was enqueued is done.
func (q *CommandQueue) Finish() error { return clFinish.call5(q.Handle(), 0, 0, 0, 0) }

// EnqueueNDRangeKernel runs a kernel with the arguments that it has now.
// global is the number of work-items in one to three dimensions; local, the
// size of a work-group, and offset, the first global id, have as many or are
// nil. It allocates nothing when the slices are on the heap already.
func (q *CommandQueue) EnqueueNDRangeKernel(k *Kernel, offset, global, local []int, wait []*Event, ev *Event) error {
	f := clEnqueueNDRangeKernel
	if offset != nil && len(offset) != len(global) || local != nil && len(local) != len(global) {
		return refuse(f.name, InvalidWorkDimension, "offset %v, global size %v, local size %v", offset, global, local)
	}
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	// An int is a size_t wherever this package runs.
	err = f.call9(q.Handle(), k.Handle(), uintptr(len(global)),
		uintptr(address(offset)), uintptr(address(global)), uintptr(address(local)),
		uintptr(len(hs)), uintptr(address(hs)), uintptr(out))
	if err != nil {
		return detail(err, "kernel %s, global size %v, local size %v", k.name, global, local)
	}
	ev.enqueued()
	return nil
}

// EnqueueMarker makes ev the event of all that was enqueued before, or of what
// is in wait.
func (q *CommandQueue) EnqueueMarker(wait []*Event, ev *Event) error {
	return q.mark(clEnqueueMarkerWithWaitList, wait, ev)
}

// EnqueueBarrier lets what is enqueued later wait for all that was enqueued
// before, or for what is in wait. It is of use in an out-of-order queue.
func (q *CommandQueue) EnqueueBarrier(wait []*Event, ev *Event) error {
	return q.mark(clEnqueueBarrierWithWaitList, wait, ev)
}

func (q *CommandQueue) mark(f *function, wait []*Event, ev *Event) error {
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	if err := f.call(q.Handle(), uintptr(len(hs)), uintptr(address(hs)), uintptr(out)); err != nil {
		return err
	}
	ev.enqueued()
	return nil
}

// events prepares the last arguments of an enqueue: the handles to wait for,
// and where the new event goes.
func events(f *function, wait []*Event, ev *Event) (hs []uintptr, out unsafe.Pointer, err error) {
	for _, w := range wait {
		hs = append(hs, w.Handle())
	}
	if ev != nil {
		if ev.Handle() != 0 {
			return nil, nil, refuse(f.name, InvalidEvent, "the Event given for the result is in use: Release it first")
		}
		out = unsafe.Pointer(&ev.h)
	}
	return hs, out, nil
}

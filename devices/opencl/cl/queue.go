package cl

import "unsafe"

var (
	clFlush                      = newFunction("clFlush")
	clFinish                     = newFunction("clFinish")
	clEnqueueNDRangeKernel       = newFunction("clEnqueueNDRangeKernel")
	clEnqueueMarkerWithWaitList  = newFunction("clEnqueueMarkerWithWaitList")
	clEnqueueBarrierWithWaitList = newFunction("clEnqueueBarrierWithWaitList")
)

// In all Enqueue calls, wait holds events that must be done before the command
// starts, and ev becomes the event of the command, which must be released when
// it is no longer needed. Both may be nil.

// Flush sends all enqueued commands to the device without waiting for them.
func (q *CommandQueue) Flush() error { return clFlush.call4(q.Handle(), 0, 0, 0) }

// Finish waits until all enqueued commands have finished.
func (q *CommandQueue) Finish() error { return clFinish.call4(q.Handle(), 0, 0, 0) }

// EnqueueNDRangeKernel runs a kernel with its current arguments. global is the
// number of work-items in one to three dimensions. local, the size of a
// work-group, and offset, the first global ID, have the same length or are nil.
// It allocates nothing if the slices are already on the heap.
func (q *CommandQueue) EnqueueNDRangeKernel(k *Kernel, offset, global, local []int, wait []*Event, ev *Event) error {
	f := clEnqueueNDRangeKernel
	if offset != nil && len(offset) != len(global) || local != nil && len(local) != len(global) {
		return refuse(f.name, InvalidWorkDimension, "offset %v, global size %v, local size %v", offset, global, local)
	}
	hs, out, err := events(f, wait, ev)
	if err != nil {
		return err
	}
	// An int has the size of a size_t on all supported platforms.
	err = f.call9(q.Handle(), k.Handle(), uintptr(len(global)),
		uintptr(address(offset)), uintptr(address(global)), uintptr(address(local)),
		uintptr(len(hs)), uintptr(address(hs)), uintptr(out))
	if err != nil {
		return detail(err, "kernel %s, global size %v, local size %v", k.name, global, local)
	}
	ev.enqueued()
	return nil
}

// EnqueueMarker makes ev the event of all commands enqueued before it, or of
// those in wait.
func (q *CommandQueue) EnqueueMarker(wait []*Event, ev *Event) error {
	return q.mark(clEnqueueMarkerWithWaitList, wait, ev)
}

// EnqueueBarrier makes later commands wait for all commands enqueued before it,
// or for those in wait. It is useful in an out-of-order queue.
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

// events returns the last arguments of an enqueue call: the handles to wait for
// and the address for the new event.
func events(f *function, wait []*Event, ev *Event) (hs []uintptr, out unsafe.Pointer, err error) {
	for _, w := range wait {
		hs = append(hs, w.Handle())
	}
	if ev != nil {
		if ev.Handle() != 0 {
			return nil, nil, refuse(f.name, InvalidEvent, "the Event for the result is in use: release it first")
		}
		out = unsafe.Pointer(&ev.h)
	}
	return hs, out, nil
}

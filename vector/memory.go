package vector

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
)

// Memory computes v if it is pending and returns its device memory, for programs that
// also call CUDA or OpenCL themselves (see [devices.Buffer.Handle]) and read it there.
// Use OutMemory to write. The memory is valid until v is freed or collected, so keep v
// alive. v must be on one device: over several, Memory returns an error.
//
// Work on the memory may still be queued. With OpenCL, enqueue in the queue that
// [devices.Device.Handle] returns, or call Sync first; with CUDA, call Sync first.
func (v *Vector[T]) Memory() (*devices.Buffer, error) {
	return v.onOneDevice("Memory", v.inner().Body().Memory)
}

// OutMemory is Memory for programs that change the elements there: pending expressions
// that read v are computed first, and host copies are dropped. Finish the change, or
// enqueue it in the device's queue, before v is used again.
func (v *Vector[T]) OutMemory() (*devices.Buffer, error) {
	return v.onOneDevice("OutMemory", v.inner().Body().Overwrite)
}

func (v *Vector[T]) onOneDevice(what string, get func() (*devices.Buffer, error)) (*devices.Buffer, error) {
	mem, err := get()
	if err != nil {
		return nil, err
	}
	if mem == nil {
		return nil, fmt.Errorf("vector: %s: the vector is %v: copy it to one device with To(vector.Single(d)) first",
			what, v.Distribution())
	}
	return mem, nil
}

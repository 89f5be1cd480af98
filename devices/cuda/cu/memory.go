package cu

import (
	"unsafe"
)

var (
	cuMemAlloc = driver.Func("cuMemAlloc_v2")
	cuMemFree  = driver.Func("cuMemFree_v2")
)

// DevicePtr is an address in device memory. Offsets may be added to it.
type DevicePtr uint64

// MemAlloc allocates memory that is usable at once and aligned to 256 bytes.
func (c *Ctx) MemAlloc(bytes int64) (DevicePtr, error) {
	p := new(DevicePtr)
	err := c.do(func() error { return check(cuMemAlloc, cuMemAlloc.Call(uintptr(unsafe.Pointer(p)), uintptr(bytes))) })
	if err != nil {
		return 0, detail(err, "%d bytes", bytes)
	}
	live.allocations.Add(1)
	return *p, nil
}

// MemFree releases memory. It waits for the work running on the device.
func (c *Ctx) MemFree(p DevicePtr) error {
	live.allocations.Add(-1)
	return c.do(func() error { return check(cuMemFree, cuMemFree.Call(uintptr(p))) })
}

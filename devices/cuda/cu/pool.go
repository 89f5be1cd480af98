package cu

import "unsafe"

var (
	cuDeviceGetDefaultMemPool = driver.Optional("cuDeviceGetDefaultMemPool")
	cuMemPoolSetAttribute     = driver.Optional("cuMemPoolSetAttribute")
	cuMemPoolGetAttribute     = driver.Optional("cuMemPoolGetAttribute")
	cuMemPoolTrimTo           = driver.Optional("cuMemPoolTrimTo")
	cuMemPoolSetAccess        = driver.Optional("cuMemPoolSetAccess")
)

// MemPool is where MemAllocAsync takes memory from.
type MemPool struct{ h uintptr }

// DefaultMemPool is the pool of a device that has MemoryPoolsSupported. All of
// the process shares it.
func (d Device) DefaultMemPool() (MemPool, error) {
	if err := need(cuDeviceGetDefaultMemPool); err != nil {
		return MemPool{}, err
	}
	h := new(uintptr)
	err := check(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool.Call(uintptr(unsafe.Pointer(h)), uintptr(d)))
	return MemPool{*h}, err
}

// PoolAttribute is a property of a pool.
type PoolAttribute int32

// Properties of a pool, in bytes. Only the threshold can be set: how much freed
// memory the pool keeps when a stream is waited for. At first it is 0.
const (
	PoolReleaseThreshold PoolAttribute = 4
	PoolReserved         PoolAttribute = 5
	PoolUsed             PoolAttribute = 7
)

// SetAttribute sets a property of the pool.
func (p MemPool) SetAttribute(a PoolAttribute, v uint64) error {
	w := new(uint64)
	*w = v
	return check(cuMemPoolSetAttribute, cuMemPoolSetAttribute.Call(p.h, uintptr(a), uintptr(unsafe.Pointer(w))))
}

// Attribute is a property of the pool.
func (p MemPool) Attribute(a PoolAttribute) (int64, error) {
	v := new(uint64)
	err := check(cuMemPoolGetAttribute, cuMemPoolGetAttribute.Call(p.h, uintptr(a), uintptr(unsafe.Pointer(v))))
	return int64(*v), err
}

// TrimTo gives freed memory back to the system until the pool has at most keep
// bytes, or none that are free.
func (p MemPool) TrimTo(keep int64) error {
	return check(cuMemPoolTrimTo, cuMemPoolTrimTo.Call(p.h, uintptr(keep)))
}

const (
	locationDevice  = 1 // CU_MEM_LOCATION_TYPE_DEVICE
	accessReadWrite = 3 // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
)

// SetAccess lets another device, which CanAccessPeer, use the pool's memory.
func (p MemPool) SetAccess(d Device) error {
	desc := &[3]int32{locationDevice, int32(d), accessReadWrite} // CUmemAccessDesc
	return check(cuMemPoolSetAccess, cuMemPoolSetAccess.Call(p.h, uintptr(unsafe.Pointer(desc)), 1))
}

package cu

import (
	"bytes"
	"unsafe"
)

var (
	cuDeviceGetCount      = driver.Func("cuDeviceGetCount")
	cuDeviceGet           = driver.Func("cuDeviceGet")
	cuDeviceGetName       = driver.Func("cuDeviceGetName")
	cuDeviceTotalMem      = driver.Func("cuDeviceTotalMem_v2")
	cuDeviceGetAttribute  = driver.Func("cuDeviceGetAttribute")
	cuDeviceGetUUID       = driver.Func("cuDeviceGetUuid_v2")
	cuDeviceCanAccessPeer = driver.Func("cuDeviceCanAccessPeer")
)

// Device is a GPU, identified by its CUdevice.
type Device int32

// Devices calls Init and returns all GPUs that this process may use, as
// determined by CUDA_VISIBLE_DEVICES.
func Devices() ([]Device, error) {
	if err := Init(); err != nil {
		return nil, err
	}
	n := new(int32)
	if err := check(cuDeviceGetCount, cuDeviceGetCount.Call(uintptr(unsafe.Pointer(n)))); err != nil {
		return nil, err
	}
	devs := make([]Device, *n)
	for i := range devs {
		if err := check(cuDeviceGet, cuDeviceGet.Call(uintptr(unsafe.Pointer(&devs[i])), uintptr(i))); err != nil {
			return nil, err
		}
	}
	return devs, nil
}

// Name returns the device's name: "NVIDIA H200".
func (d Device) Name() (string, error) {
	p := make([]byte, 256)
	err := check(cuDeviceGetName, cuDeviceGetName.Call(uintptr(start(p)), uintptr(len(p)), uintptr(d)))
	if i := bytes.IndexByte(p, 0); i >= 0 {
		p = p[:i]
	}
	return string(p), err
}

// UUID returns the 16 bytes that tell the device from all others, also in other processes. They
// are those of a part of it, if it is divided (MIG).
func (d Device) UUID() ([16]byte, error) {
	p := new([16]byte)
	err := check(cuDeviceGetUUID, cuDeviceGetUUID.Call(uintptr(unsafe.Pointer(p)), uintptr(d)))
	return *p, err
}

// TotalMem returns the device's memory in bytes.
func (d Device) TotalMem() (int64, error) {
	n := new(uint64)
	err := check(cuDeviceTotalMem, cuDeviceTotalMem.Call(uintptr(unsafe.Pointer(n)), uintptr(d)))
	return int64(*n), err
}

// Attribute returns a property of the device.
func (d Device) Attribute(a DeviceAttribute) (int, error) {
	v := new(int32)
	err := check(cuDeviceGetAttribute, cuDeviceGetAttribute.Call(uintptr(unsafe.Pointer(v)), uintptr(a), uintptr(d)))
	if err != nil {
		return 0, detail(err, "attribute %d of device %d", a, d)
	}
	return int(*v), nil
}

// ComputeCapability returns the version of the device's instruction set: 9, 0
// for sm_90.
func (d Device) ComputeCapability() (major, minor int, err error) {
	if major, err = d.Attribute(ComputeCapabilityMajor); err != nil {
		return 0, 0, err
	}
	minor, err = d.Attribute(ComputeCapabilityMinor)
	return major, minor, err
}

// CanAccessPeer reports whether kernels and copies of the device can access
// another's memory without the host.
func (d Device) CanAccessPeer(peer Device) (bool, error) {
	v := new(int32)
	err := check(cuDeviceCanAccessPeer,
		cuDeviceCanAccessPeer.Call(uintptr(unsafe.Pointer(v)), uintptr(d), uintptr(peer)))
	return *v != 0, err
}

// DeviceAttribute identifies a numeric property of a device.
type DeviceAttribute int32

// Properties of a device; cuda.h has many more.
const (
	MaxThreadsPerBlock          DeviceAttribute = 1
	MaxBlockDimX                DeviceAttribute = 2
	MaxGridDimX                 DeviceAttribute = 5
	MaxSharedMemoryPerBlock     DeviceAttribute = 8
	WarpSize                    DeviceAttribute = 10
	ClockRate                   DeviceAttribute = 13 // kHz
	MultiprocessorCount         DeviceAttribute = 16
	MemoryClockRate             DeviceAttribute = 36 // kHz
	GlobalMemoryBusWidth        DeviceAttribute = 37 // bits
	L2CacheSize                 DeviceAttribute = 38
	MaxThreadsPerMultiprocessor DeviceAttribute = 39
	AsyncEngineCount            DeviceAttribute = 40
	UnifiedAddressing           DeviceAttribute = 41
	ComputeCapabilityMajor      DeviceAttribute = 75
	ComputeCapabilityMinor      DeviceAttribute = 76
	MaxSharedMemoryPerSM        DeviceAttribute = 81
	MaxSharedMemoryPerBlockOpt  DeviceAttribute = 97 // with FuncMaxDynamicSharedSize
)

package cu

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

var (
	cuIpcGetMemHandle    = driver.Optional("cuIpcGetMemHandle")
	cuIpcOpenMemHandle   = driver.Optional("cuIpcOpenMemHandle_v2")
	cuIpcCloseMemHandle  = driver.Optional("cuIpcCloseMemHandle")
	cuIpcGetEventHandle  = driver.Optional("cuIpcGetEventHandle")
	cuIpcOpenEventHandle = driver.Optional("cuIpcOpenEventHandle")
)

// EventInterprocess is the flag of an event that other processes can open. It needs
// EventDisableTiming.
const EventInterprocess EventFlags = 4

// IPCHandle names memory or an event for other processes of the machine.
type IPCHandle [64]byte

// IPCMemHandle returns the handle of memory that MemAlloc returned. The memory must not be released
// while another process has it open.
func (c *Ctx) IPCMemHandle(p DevicePtr) (IPCHandle, error) {
	h := new(IPCHandle)
	if err := need(cuIpcGetMemHandle); err != nil {
		return *h, err
	}
	err := c.do(func() error {
		return check(cuIpcGetMemHandle, cuIpcGetMemHandle.Call(uintptr(unsafe.Pointer(h)), uintptr(p)))
	})
	return *h, err
}

// OpenIPCMem returns the address of memory of another process. It enables peer access to the
// device that has it.
func (c *Ctx) OpenIPCMem(h IPCHandle) (DevicePtr, error) {
	const lazyPeerAccess = 1
	p := new(DevicePtr)
	if err := need(cuIpcOpenMemHandle); err != nil {
		return 0, err
	}
	err := c.do(func() error {
		r := callByValue(cuIpcOpenMemHandle, uintptr(unsafe.Pointer(p)), h, lazyPeerAccess)
		return check(cuIpcOpenMemHandle, r)
	})
	return *p, err
}

// CloseIPCMem closes what OpenIPCMem has opened.
func (c *Ctx) CloseIPCMem(p DevicePtr) error {
	return c.do(func() error { return check(cuIpcCloseMemHandle, cuIpcCloseMemHandle.Call(uintptr(p))) })
}

// IPCHandle returns the handle of an event that was made with EventInterprocess.
func (e *Event) IPCHandle() (IPCHandle, error) {
	h := new(IPCHandle)
	if err := need(cuIpcGetEventHandle); err != nil {
		return *h, err
	}
	err := e.ctx.call(cuIpcGetEventHandle, uintptr(unsafe.Pointer(h)), e.h, 0, 0)
	return *h, err
}

// OpenIPCEvent returns an event of another process.
func (c *Ctx) OpenIPCEvent(h IPCHandle) (*Event, error) {
	p := new(uintptr)
	if err := need(cuIpcOpenEventHandle); err != nil {
		return nil, err
	}
	err := c.do(func() error {
		return check(cuIpcOpenEventHandle, callByValue(cuIpcOpenEventHandle, uintptr(unsafe.Pointer(p)), h, 0))
	})
	if err != nil {
		return nil, err
	}
	live.events.Add(1)
	return &Event{ctx: c, h: *p}, nil
}

// callByValue calls f(out, h, flags). C passes such a struct on the stack on amd64 (System V ABI,
// 3.2.3), where the first six other arguments are in registers, and by its address on arm64 (AAPCS64,
// 6.8.2) and Windows. The directive keeps the memory at out on the heap until the call returns.
//
//go:uintptrescapes
func callByValue(f *dl.Func, out uintptr, h IPCHandle, flags uintptr) int32 {
	if runtime.GOARCH != "amd64" || runtime.GOOS == "windows" {
		return f.Call(out, uintptr(unsafe.Pointer(&h)), flags)
	}
	list := []uintptr{out, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	for i := range 8 {
		list[6+i] = uintptr(binary.LittleEndian.Uint64(h[8*i:]))
	}
	return f.CallList(list)
}

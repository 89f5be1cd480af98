package cu

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/skelgo/skelgo/devices/cuda/internal/dl"
)

// ErrNoLibrary is wrapped by the error of Load, and of LoadNVRTC, when the
// library is not on this machine.
var ErrNoLibrary = dl.ErrMissing

// driver is libcuda, which comes with the NVIDIA driver.
var driver = &dl.Library{Title: "the CUDA driver library", Names: func() []string {
	if runtime.GOOS == "windows" {
		return []string{"nvcuda.dll"}
	}
	return []string{"libcuda.so.1", "libcuda.so"}
}}

var (
	cuInit             = driver.Func("cuInit")
	cuDriverGetVersion = driver.Func("cuDriverGetVersion")
)

// Load opens the CUDA driver library. Init does so by itself; calling Load
// tells a machine without CUDA apart from other errors.
func Load() error { return driver.Load() }

// Init begins the use of CUDA; Devices does so by itself. Every call but the
// first does nothing. On a machine without a GPU the error is ErrorNoDevice.
func Init() error {
	if err := Load(); err != nil {
		return err
	}
	return check(cuInit, cuInit.Call(0))
}

// DriverVersion is the newest CUDA that the driver supports: 13, 0.
func DriverVersion() (major, minor int, err error) {
	if err := Load(); err != nil {
		return 0, 0, err
	}
	v := new(int32)
	if err := check(cuDriverGetVersion, cuDriverGetVersion.Call(uintptr(unsafe.Pointer(v)))); err != nil {
		return 0, 0, err
	}
	return int(*v) / 1000, int(*v) % 1000 / 10, nil
}

// need is the error of a function that an old library does not have.
func need(f *dl.Func) error {
	if f.Present() {
		return nil
	}
	return &Error{Func: f.Name, Result: ErrorNotSupported, Detail: "the CUDA driver is too old to have it"}
}

// check makes an error of what a function of libcuda returned.
func check(f *dl.Func, r int32) error {
	if r == 0 {
		return nil
	}
	return &Error{Func: f.Name, Result: Result(r)}
}

// detail adds to an error of a call what it was called with.
func detail(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Detail = fmt.Sprintf(format, args...)
	}
	return err
}

// refuse is the error of a call that is not made because CUDA would do harm, or
// nothing of use, with what it was given.
func refuse(function string, r Result, format string, args ...any) error {
	return &Error{Func: function, Result: r, Detail: fmt.Sprintf(format, args...)}
}

package cu

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

// ErrNoLibrary is wrapped by the errors of Load and LoadNVRTC if the machine
// does not have the library.
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

// Load opens the CUDA driver library. Init calls it, but calling Load
// separately distinguishes a machine without CUDA from other errors.
func Load() error { return driver.Load() }

// Init initializes CUDA; Devices calls it. Only the first call has an effect.
// On a machine without a GPU the error is ErrorNoDevice.
func Init() error {
	if err := Load(); err != nil {
		return err
	}
	return check(cuInit, cuInit.Call(0))
}

// DriverVersion returns the newest version of CUDA that the driver supports:
// 13, 0.
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

// need returns an error if the library is too old to have the function.
func need(f *dl.Func) error {
	if f.Present() {
		return nil
	}
	return &Error{Func: f.Name, Result: ErrorNotSupported, Detail: "the CUDA driver is too old"}
}

// check converts the result of a libcuda function to an error.
func check(f *dl.Func, r int32) error {
	if r == 0 {
		return nil
	}
	return &Error{Func: f.Name, Result: Result(r)}
}

// detail adds the arguments of a call to its error.
func detail(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Detail = fmt.Sprintf(format, args...)
	}
	return err
}

// refuse returns the error of a call that is not made because CUDA would crash
// or misbehave with its arguments.
func refuse(function string, r Result, format string, args ...any) error {
	return &Error{Func: function, Result: r, Detail: fmt.Sprintf(format, args...)}
}

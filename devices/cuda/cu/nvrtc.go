package cu

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

var (
	nvrtcVersion             = nvrtc.Func("nvrtcVersion")
	nvrtcGetNumSupportedArch = nvrtc.Optional("nvrtcGetNumSupportedArchs")
	nvrtcGetSupportedArch    = nvrtc.Optional("nvrtcGetSupportedArchs")
	nvrtcCreateProgram       = nvrtc.Func("nvrtcCreateProgram")
	nvrtcCompileProgram      = nvrtc.Func("nvrtcCompileProgram")
	nvrtcGetProgramLogSize   = nvrtc.Func("nvrtcGetProgramLogSize")
	nvrtcGetProgramLog       = nvrtc.Func("nvrtcGetProgramLog")
	nvrtcGetCUBINSize        = nvrtc.Func("nvrtcGetCUBINSize") // CUDA 11.2
	nvrtcGetCUBIN            = nvrtc.Func("nvrtcGetCUBIN")
	nvrtcGetPTXSize          = nvrtc.Func("nvrtcGetPTXSize")
	nvrtcGetPTX              = nvrtc.Func("nvrtcGetPTX")
	nvrtcDestroyProgram      = nvrtc.Func("nvrtcDestroyProgram")
)

// NVRTCResult is the result of a call of NVRTC. It implements error.
type NVRTCResult int32

// Codes of NVRTC that a program can handle.
const (
	NVRTCOutOfMemory   NVRTCResult = 1
	NVRTCInvalidOption NVRTCResult = 5
	NVRTCCompilation   NVRTCResult = 6
)

var nvrtcNames = [...]string{
	"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT",
	"NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION",
	"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
	"NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
	"NVRTC_ERROR_INTERNAL_ERROR",
}

// Error returns the code's name and number: "NVRTC_ERROR_COMPILATION (6)".
func (r NVRTCResult) Error() string {
	name := "NVRTC error"
	if r >= 0 && int(r) < len(nvrtcNames) {
		name = nvrtcNames[r]
	}
	return fmt.Sprintf("%s (%d)", name, int32(r))
}

func checkNVRTC(f *dl.Func, r int32) error {
	if r == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", f.Name, NVRTCResult(r))
}

// LoadNVRTC opens NVRTC, the compiler. Compile calls it. Only the first call
// has an effect.
func LoadNVRTC() error { return nvrtc.Load() }

// NVRTCVersion returns the compiler's version: 13, 0.
func NVRTCVersion() (major, minor int, err error) {
	if err := LoadNVRTC(); err != nil {
		return 0, 0, err
	}
	v := new([2]int32)
	err = checkNVRTC(nvrtcVersion, nvrtcVersion.Call(uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1]))))
	return int(v[0]), int(v[1]), err
}

// NVRTCPath returns the file name of NVRTC after it has been opened.
func NVRTCPath() string { return nvrtc.Path() }

// SupportedArchs returns the compute capabilities that NVRTC supports, in
// ascending order: 90 for sm_90.
func SupportedArchs() ([]int, error) {
	if err := LoadNVRTC(); err != nil {
		return nil, err
	}
	if !nvrtcGetSupportedArch.Present() || !nvrtcGetNumSupportedArch.Present() {
		return nil, fmt.Errorf("%s: not in this version", nvrtcGetSupportedArch.Name)
	}
	n := new(int32)
	if err := checkNVRTC(nvrtcGetNumSupportedArch,
		nvrtcGetNumSupportedArch.Call(uintptr(unsafe.Pointer(n)))); err != nil || *n <= 0 {
		return nil, err
	}
	list := make([]int32, *n)
	if err := checkNVRTC(nvrtcGetSupportedArch, nvrtcGetSupportedArch.Call(uintptr(start(list)))); err != nil {
		return nil, err
	}
	archs := make([]int, *n)
	for i, a := range list {
		archs[i] = int(a)
	}
	return archs, nil
}

// CompileError reports a program that NVRTC rejected. It wraps the NVRTCResult.
type CompileError struct {
	Name    string // of the program
	Options []string
	Log     string
	Result  NVRTCResult
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("nvrtcCompileProgram: %v in %s with options %q\n%s",
		e.Result, e.Name, e.Options, strings.TrimSpace(e.Log))
}

// Unwrap returns the code, for errors.Is.
func (e *CompileError) Unwrap() error { return e.Result }

// Program is compiled CUDA C++ text.
type Program struct {
	h         uintptr
	log       string
	destroyed atomic.Bool
}

// Compile compiles a text. Messages call it name unless a #line directive names
// another file. If the text does not compile, the error is a *CompileError. The
// option --gpu-architecture=sm_90 produces a CUBIN; compute_90 produces only
// PTX.
func Compile(name, text string, options ...string) (*Program, error) {
	if err := LoadNVRTC(); err != nil {
		return nil, err
	}
	h, src, file := new(uintptr), cstring(text), cstring(name)
	err := checkNVRTC(nvrtcCreateProgram, nvrtcCreateProgram.Call(
		uintptr(unsafe.Pointer(h)), uintptr(start(src)), uintptr(start(file)), 0, 0, 0))
	if err != nil {
		return nil, err
	}
	live.programs.Add(1)
	p := &Program{h: *h}
	var pins runtime.Pinner // the list that C receives points to the options
	defer pins.Unpin()
	list := make([]unsafe.Pointer, len(options))
	for i, o := range options {
		list[i] = start(cstring(o))
		pins.Pin((*byte)(list[i]))
	}
	r := NVRTCResult(nvrtcCompileProgram.Call(p.h, uintptr(len(list)), uintptr(start(list))))
	p.log = p.compileLog()
	if r != 0 {
		_ = p.Destroy() // the compile error matters more
		return nil, &CompileError{Name: name, Options: options, Log: p.log, Result: r}
	}
	return p, nil
}

func (p *Program) compileLog() string {
	log, err := p.output(nvrtcGetProgramLogSize, nvrtcGetProgramLog)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(log), "\x00")
}

// Log returns the output of the compiler, such as warnings.
func (p *Program) Log() string { return p.log }

// CUBIN returns the machine code.
func (p *Program) CUBIN() ([]byte, error) { return p.output(nvrtcGetCUBINSize, nvrtcGetCUBIN) }

// PTX returns the code for any device of the architecture or a later one.
func (p *Program) PTX() ([]byte, error) {
	b, err := p.output(nvrtcGetPTXSize, nvrtcGetPTX)
	return bytes.TrimRight(b, "\x00"), err
}

func (p *Program) output(size, get *dl.Func) ([]byte, error) {
	n := new(uint64)
	if err := checkNVRTC(size, size.Call(p.h, uintptr(unsafe.Pointer(n)))); err != nil {
		return nil, err
	}
	if *n == 0 {
		return nil, nil
	}
	b := make([]byte, *n)
	return b, checkNVRTC(get, get.Call(p.h, uintptr(start(b))))
}

// Destroy releases the program. Code obtained from it remains valid.
func (p *Program) Destroy() error {
	if p.destroyed.Swap(true) {
		return nil
	}
	live.programs.Add(-1)
	h := new(uintptr)
	*h = p.h
	return checkNVRTC(nvrtcDestroyProgram, nvrtcDestroyProgram.Call(uintptr(unsafe.Pointer(h))))
}

package cu

import "strconv"

// Result is the result of a call of the driver: Success or an error code. It
// implements error and is wrapped by *Error:
//
//	if errors.Is(err, cu.ErrorOutOfMemory) { ... }
type Result int32

// Codes of the driver that numerical programs encounter.
const (
	Success                          Result = 0
	ErrorInvalidValue                Result = 1
	ErrorOutOfMemory                 Result = 2
	ErrorNotInitialized              Result = 3
	ErrorDeinitialized               Result = 4
	ErrorDeviceUnavailable           Result = 46
	ErrorNoDevice                    Result = 100
	ErrorInvalidDevice               Result = 101
	ErrorInvalidImage                Result = 200
	ErrorInvalidContext              Result = 201
	ErrorNoBinaryForGPU              Result = 209
	ErrorECCUncorrectable            Result = 214
	ErrorInvalidPTX                  Result = 218
	ErrorNVLinkUncorrectable         Result = 220
	ErrorJITCompilerNotFound         Result = 221
	ErrorUnsupportedPTXVersion       Result = 222
	ErrorInvalidSource               Result = 300
	ErrorFileNotFound                Result = 301
	ErrorOperatingSystem             Result = 304
	ErrorInvalidHandle               Result = 400
	ErrorIllegalState                Result = 401
	ErrorNotFound                    Result = 500
	ErrorNotReady                    Result = 600
	ErrorIllegalAddress              Result = 700
	ErrorLaunchOutOfResources        Result = 701
	ErrorLaunchTimeout               Result = 702
	ErrorPeerAccessAlreadyEnabled    Result = 704
	ErrorPeerAccessNotEnabled        Result = 705
	ErrorContextIsDestroyed          Result = 709
	ErrorAssert                      Result = 710
	ErrorHostMemoryAlreadyRegistered Result = 712
	ErrorHostMemoryNotRegistered     Result = 713
	ErrorHardwareStackError          Result = 714
	ErrorIllegalInstruction          Result = 715
	ErrorMisalignedAddress           Result = 716
	ErrorInvalidAddressSpace         Result = 717
	ErrorInvalidPC                   Result = 718
	ErrorLaunchFailed                Result = 719
	ErrorNotPermitted                Result = 800
	ErrorNotSupported                Result = 801
	ErrorSystemNotReady              Result = 802
	ErrorSystemDriverMismatch        Result = 803
	ErrorCompatNotSupportedOnDevice  Result = 804
	ErrorStreamCaptureUnsupported    Result = 900
	ErrorStreamCaptureInvalidated    Result = 901
	ErrorStreamCaptureIsolation      Result = 905
	ErrorStreamCaptureImplicit       Result = 906
	ErrorCapturedEvent               Result = 907
	ErrorStreamCaptureWrongThread    Result = 908
	ErrorUnknown                     Result = 999
)

var resultNames = map[Result]string{
	Success:                          "CUDA_SUCCESS",
	ErrorInvalidValue:                "CUDA_ERROR_INVALID_VALUE",
	ErrorOutOfMemory:                 "CUDA_ERROR_OUT_OF_MEMORY",
	ErrorNotInitialized:              "CUDA_ERROR_NOT_INITIALIZED",
	ErrorDeinitialized:               "CUDA_ERROR_DEINITIALIZED",
	ErrorDeviceUnavailable:           "CUDA_ERROR_DEVICE_UNAVAILABLE",
	ErrorNoDevice:                    "CUDA_ERROR_NO_DEVICE",
	ErrorInvalidDevice:               "CUDA_ERROR_INVALID_DEVICE",
	ErrorInvalidImage:                "CUDA_ERROR_INVALID_IMAGE",
	ErrorInvalidContext:              "CUDA_ERROR_INVALID_CONTEXT",
	ErrorNoBinaryForGPU:              "CUDA_ERROR_NO_BINARY_FOR_GPU",
	ErrorECCUncorrectable:            "CUDA_ERROR_ECC_UNCORRECTABLE",
	ErrorInvalidPTX:                  "CUDA_ERROR_INVALID_PTX",
	ErrorNVLinkUncorrectable:         "CUDA_ERROR_NVLINK_UNCORRECTABLE",
	ErrorJITCompilerNotFound:         "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
	ErrorUnsupportedPTXVersion:       "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
	ErrorInvalidSource:               "CUDA_ERROR_INVALID_SOURCE",
	ErrorFileNotFound:                "CUDA_ERROR_FILE_NOT_FOUND",
	ErrorOperatingSystem:             "CUDA_ERROR_OPERATING_SYSTEM",
	ErrorInvalidHandle:               "CUDA_ERROR_INVALID_HANDLE",
	ErrorIllegalState:                "CUDA_ERROR_ILLEGAL_STATE",
	ErrorNotFound:                    "CUDA_ERROR_NOT_FOUND",
	ErrorNotReady:                    "CUDA_ERROR_NOT_READY",
	ErrorIllegalAddress:              "CUDA_ERROR_ILLEGAL_ADDRESS",
	ErrorLaunchOutOfResources:        "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
	ErrorLaunchTimeout:               "CUDA_ERROR_LAUNCH_TIMEOUT",
	ErrorPeerAccessAlreadyEnabled:    "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
	ErrorPeerAccessNotEnabled:        "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED",
	ErrorContextIsDestroyed:          "CUDA_ERROR_CONTEXT_IS_DESTROYED",
	ErrorAssert:                      "CUDA_ERROR_ASSERT",
	ErrorHostMemoryAlreadyRegistered: "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
	ErrorHostMemoryNotRegistered:     "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
	ErrorHardwareStackError:          "CUDA_ERROR_HARDWARE_STACK_ERROR",
	ErrorIllegalInstruction:          "CUDA_ERROR_ILLEGAL_INSTRUCTION",
	ErrorMisalignedAddress:           "CUDA_ERROR_MISALIGNED_ADDRESS",
	ErrorInvalidAddressSpace:         "CUDA_ERROR_INVALID_ADDRESS_SPACE",
	ErrorInvalidPC:                   "CUDA_ERROR_INVALID_PC",
	ErrorLaunchFailed:                "CUDA_ERROR_LAUNCH_FAILED",
	ErrorNotPermitted:                "CUDA_ERROR_NOT_PERMITTED",
	ErrorNotSupported:                "CUDA_ERROR_NOT_SUPPORTED",
	ErrorSystemNotReady:              "CUDA_ERROR_SYSTEM_NOT_READY",
	ErrorSystemDriverMismatch:        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
	ErrorCompatNotSupportedOnDevice:  "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
	ErrorStreamCaptureUnsupported:    "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
	ErrorStreamCaptureInvalidated:    "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
	ErrorStreamCaptureIsolation:      "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
	ErrorStreamCaptureImplicit:       "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
	ErrorCapturedEvent:               "CUDA_ERROR_CAPTURED_EVENT",
	ErrorStreamCaptureWrongThread:    "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
	ErrorUnknown:                     "CUDA_ERROR_UNKNOWN",
}

// Error returns the code's name and number: "CUDA_ERROR_OUT_OF_MEMORY (2)".
func (r Result) Error() string {
	name, ok := resultNames[r]
	if !ok {
		name = "CUDA error"
	}
	return name + " (" + strconv.Itoa(int(r)) + ")"
}

// Sticky reports whether the code means that a kernel broke the context: every
// later call in the context returns the same code, and only a new process can
// use the device again.
func (r Result) Sticky() bool {
	switch r {
	case ErrorIllegalAddress, ErrorLaunchTimeout, ErrorAssert, ErrorHardwareStackError, ErrorIllegalInstruction,
		ErrorMisalignedAddress, ErrorInvalidAddressSpace, ErrorInvalidPC, ErrorLaunchFailed,
		ErrorECCUncorrectable, ErrorNVLinkUncorrectable, ErrorContextIsDestroyed:
		return true
	default:
		return false
	}
}

// Error reports a failed call of the driver. It wraps the Result.
type Error struct {
	Func   string // "cuMemAlloc_v2"
	Result Result
	Detail string // arguments of the call, if useful
}

func (e *Error) Error() string {
	s := e.Func + ": " + e.Result.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Result.Sticky() {
		s += "; this or an earlier launch has broken the device's context: the device must be opened again in a " +
			"new process"
	}
	return s
}

// Unwrap returns the code, for errors.Is.
func (e *Error) Unwrap() error { return e.Result }

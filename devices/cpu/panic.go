package cpu

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicError reports a panic in the function that a launch ran.
type PanicError struct {
	Value any    // the argument of panic
	Pos   string // the innermost line of the user's code, "kmeans.go:31"
	Func  string // the function that contains it, "main.nearest"
}

func (e *PanicError) Error() string {
	if e.Pos == "" {
		return fmt.Sprint(e.Value)
	}
	return fmt.Sprintf("%s: %v (in %s)", e.Pos, e.Value, e.Func)
}

// Unwrap returns Value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// newPanic must be called while recovering, when the stack still has the frames
// of the function that panicked.
func newPanic(v any) *PanicError {
	e := &PanicError{Value: v}
	e.locate()
	return e
}

// locate finds the position in the stack of the calling goroutine.
func (e *PanicError) locate() {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !framework(f.Function, f.File) {
			e.Pos = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
			e.Func = path.Base(f.Function)
			return
		}
		if !more {
			return
		}
	}
}

const module = "github.com/skelgo/skelgo/"

// framework reports whether a frame belongs to the framework, to generated
// code, or to one of Go's packages that a device function may call.
func framework(function, file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	switch pkg := packageOf(function); pkg {
	case "runtime", "internal/runtime/maps", "math", "math/bits", "math/cmplx", "slices", "cmp", "sync", "sync/atomic":
		return true
	case module + "skel", module + "vector", module + "matrix", module + "internal/array", module + "devices",
		module + "devices/cpu", module + "devices/mpi", module + "devices/driver",
		module + "math32", module + "math64", module + "rng":
		return true
	}
	return path.Base(file) == "zkernels.go"
}

// packageOf returns the import path in a function's full name:
// "example.org/kmeans" in "example.org/kmeans.(*T).f.func1". The type arguments
// of a generic function may contain slashes, too.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return name[:slash+dot]
}

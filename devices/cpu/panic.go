package cpu

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicError is a panic of the function that a launch ran.
type PanicError struct {
	Value any    // what was panicked with
	Pos   string // "kmeans.go:31": the innermost line that is the user's own
	Func  string // "main.nearest": the function it is in
}

func (e *PanicError) Error() string {
	if e.Pos == "" {
		return fmt.Sprint(e.Value)
	}
	return fmt.Sprintf("%s: %v (in %s)", e.Pos, e.Value, e.Func)
}

// Unwrap gives the value that was panicked with, if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// newPanic must be called while the panic is being recovered, when the stack
// still holds the frames of the function that panicked.
func newPanic(v any) *PanicError {
	e := &PanicError{Value: v}
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function != "" && !framework(f.Function, f.File) {
			e.Pos = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
			e.Func = path.Base(f.Function)
			return e
		}
		if !more {
			return e
		}
	}
}

const module = "github.com/skelgo/skelgo/"

// framework reports whether a frame is of the framework, of code it generated,
// or of the packages of Go that a device function may call.
func framework(function, file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	switch pkg := packageOf(function); pkg {
	case "runtime", "internal/runtime/maps", "math", "math/bits", "math/cmplx", "slices", "cmp", "sync", "sync/atomic":
		return true
	case module + "skel", module + "vector", module + "matrix", module + "devices",
		module + "devices/cpu", module + "devices/driver":
		return true
	}
	return path.Base(file) == "zkernels.go"
}

// packageOf is the import path in a function's full name:
// "example.org/kmeans" of "example.org/kmeans.(*T).f.func1". In the type
// arguments of a generic function there may be slashes, too.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return name[:slash+dot]
}

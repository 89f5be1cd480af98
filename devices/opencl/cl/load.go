package cl

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// ErrNoLibrary is wrapped by the error of Load if the machine has no OpenCL
// library.
var ErrNoLibrary = errors.New("no OpenCL library on this machine")

// libraryNames are tried in order: first the loader's proper name, then the
// name that only development packages install.
func libraryNames() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"OpenCL.dll"}
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL", "libOpenCL.dylib"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

// Load opens the library. Platforms calls it, but calling Load separately
// distinguishes a machine without OpenCL from other errors. Only the first call
// opens the library, which stays open.
func Load() error { return load() }

var load = sync.OnceValue(func() error {
	var lib uintptr
	var tried []string
	for _, name := range libraryNames() {
		var err error
		if lib, err = openLibrary(name); err == nil {
			break
		}
		tried = append(tried, err.Error())
	}
	if lib == 0 {
		return fmt.Errorf("%w (%s)", ErrNoLibrary, strings.Join(tried, "; "))
	}
	for _, f := range functions {
		addr, err := findSymbol(lib, f.name)
		if err != nil {
			return fmt.Errorf("the OpenCL library is older than OpenCL 1.2: %s is missing", f.name)
		}
		f.addr = addr
	}
	return nil
})

// function is one function of the library. Its address is set by Load.
type function struct {
	name string
	addr uintptr
}

// functions holds all functions that Load looks up.
var functions []*function

func newFunction(name string) *function {
	f := &function{name: name}
	functions = append(functions, f)
	return f
}

// call calls a function that returns a status.
//
// The directive keeps memory whose address is converted to uintptr in the
// argument list alive, and in place, until the call returns.
//
//go:uintptrescapes
func (f *function) call(args ...uintptr) error {
	if s := Status(int32(f.invoke(args...))); s != Success {
		return &Error{Func: f.name, Status: s}
	}
	return nil
}

// call4 and call9 are variants of call for frequent calls. They allocate
// nothing, whereas the argument list of a variadic function with this directive
// is allocated on the heap. A function with fewer parameters receives
// additional zeros, which it ignores; the fifth argument of call4 is 0.
//
//go:uintptrescapes
func (f *function) call4(a, b, c, d uintptr) error {
	args := argLists.Get().(*argList)
	*args = argList{a, b, c, d}
	return f.give(args, 5)
}

//go:uintptrescapes
func (f *function) call9(a, b, c, d, e, g, h, i, j uintptr) error {
	args := argLists.Get().(*argList)
	*args = argList{a, b, c, d, e, g, h, i, j}
	return f.give(args, 9)
}

type argList [9]uintptr

var argLists = sync.Pool{New: func() any { return new(argList) }}

func (f *function) give(args *argList, n int) error {
	err := f.call(args[:n]...)
	argLists.Put(args)
	return err
}

// create calls a function that returns an object and stores its status through
// its last argument, code.
//
//go:uintptrescapes
func (f *function) create(code *int32, args ...uintptr) (uintptr, error) {
	*code = int32(InvalidValue)
	h := f.invoke(args...)
	if s := Status(*code); s != Success || h == 0 {
		return 0, &Error{Func: f.name, Status: s}
	}
	return h, nil
}

//go:uintptrescapes
func (f *function) invoke(args ...uintptr) uintptr {
	if f.addr == 0 {
		panic("cl: " + f.name + " called on an object that was not created by a Create function")
	}
	return syscall(f.addr, args...)
}

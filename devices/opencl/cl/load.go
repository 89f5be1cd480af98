package cl

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// ErrNoLibrary is wrapped by the error of Load when there is no OpenCL library
// on this machine.
var ErrNoLibrary = errors.New("no OpenCL library on this machine")

// libraryNames are tried in order: the loader by its proper name first, the
// name that only development packages install after it.
func libraryNames() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"OpenCL.dll"}
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL", "libOpenCL.dylib"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

// Load opens the library. Platforms does so by itself; calling Load tells a
// machine without OpenCL apart from other errors. Only the first call does
// anything, and the library stays open.
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
			return fmt.Errorf("the OpenCL library is older than OpenCL 1.2: it has no %s", f.name)
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

// functions holds all that Load has to find.
var functions []*function

func newFunction(name string) *function {
	f := &function{name: name}
	functions = append(functions, f)
	return f
}

// call calls a function that returns a status.
//
// The pragma makes memory whose address is converted to uintptr in the
// argument list of a call stay where it is, and alive, until the call returns.
//
//go:uintptrescapes
func (f *function) call(args ...uintptr) error {
	if s := Status(int32(f.invoke(args...))); s != Success {
		return &Error{Func: f.name, Status: s}
	}
	return nil
}

// call5 and call9 are call for what is called often. They allocate nothing,
// where the list of arguments of a variadic function with this pragma is on the
// heap each time. A function with fewer parameters is given zeros besides,
// which it does not look at.
//
//go:uintptrescapes
func (f *function) call5(a, b, c, d, e uintptr) error {
	args := argLists.Get().(*argList)
	*args = argList{a, b, c, d, e}
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

// create calls a function that returns an object and whose last argument, code,
// is where it leaves its status.
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
		panic("cl: " + f.name + " called on an object that no Create function made")
	}
	return syscall(f.addr, args...)
}

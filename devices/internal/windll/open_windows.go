package windll

import (
	"syscall"
	"unsafe"
)

// kernel32 is in every process, so its name is not searched for.
var loadLibrary = syscall.NewLazyDLL("kernel32.dll").NewProc("LoadLibraryExW")

// Open opens a library by its name in the system's folder, or by its absolute path.
func Open(name string) (uintptr, error) {
	search, err := flags(name)
	if err != nil {
		return 0, err
	}
	text, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return 0, err
	}
	h, _, err := loadLibrary.Call(uintptr(unsafe.Pointer(text)), 0, search)
	if h == 0 {
		return 0, &syscall.DLLError{Err: err, ObjName: name, Msg: "cannot load " + name + ": " + err.Error()}
	}
	return h, nil
}

// Symbol returns the address of a function.
func Symbol(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

package mpi

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/skelgo/skelgo/devices/internal/dl"
)

// Error is a call that failed.
type Error struct {
	Func string // "MPI_Recv"
	Code int    // what it returned
	Text string // the library's description of the code
	What string // what was asked for: "8 bytes from rank 1 with tag 0"
}

// Error describes the failure in one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("mpi: %s: %s", e.Func, e.Text)
	if e.What != "" {
		s += ": " + e.What
	}
	return s
}

// check converts the result of a call to an error.
func (l *library) check(f *dl.Func, code int32, format string, args ...any) error {
	if code == 0 {
		return nil
	}
	text, n := make([]byte, 1024), new(int32) // MPI_MAX_ERROR_STRING is at most 512
	description := fmt.Sprintf("error %d", code)
	if l.errorString.Call(uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(n))) == 0 {
		text, _, _ = bytes.Cut(text, []byte{0})
		description = string(text)
	}
	return &Error{Func: f.Name, Code: int(code), Text: description, What: fmt.Sprintf(format, args...)}
}

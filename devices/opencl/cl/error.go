package cl

import (
	"fmt"
	"strings"
)

// Error reports a failed OpenCL call. It wraps the Status.
type Error struct {
	Func   string // "clCreateBuffer"
	Status Status
	Detail string // arguments of the call, if useful
}

func (e *Error) Error() string {
	s := e.Func + ": " + e.Status.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap returns the status, for errors.Is.
func (e *Error) Unwrap() error { return e.Status }

// detail adds the arguments of a call to its error.
func detail(err error, format string, args ...any) error {
	if e, ok := err.(*Error); ok {
		e.Detail = fmt.Sprintf(format, args...)
	}
	return err
}

// refuse returns the error of a call that is not made because OpenCL would
// crash or misbehave with its arguments.
func refuse(function string, s Status, format string, args ...any) error {
	return &Error{Func: function, Status: s, Detail: fmt.Sprintf(format, args...)}
}

// BuildError reports a program that could not be built. It wraps the Status.
type BuildError struct {
	Device  string // the name of the device
	Options string
	Log     string // the output of the device's compiler
	Status  Status
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("clBuildProgram: %v on %s with options %q\n%s",
		e.Status, e.Device, e.Options, strings.TrimSpace(e.Log))
}

// Unwrap returns the status, for errors.Is.
func (e *BuildError) Unwrap() error { return e.Status }

package cl

import (
	"fmt"
	"strings"
)

// Error is a call that OpenCL refused. It wraps the Status.
type Error struct {
	Func   string // "clCreateBuffer"
	Status Status
	Detail string // what was asked for, where that helps
}

func (e *Error) Error() string {
	s := e.Func + ": " + e.Status.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap is the status, for errors.Is.
func (e *Error) Unwrap() error { return e.Status }

// detail adds to an error of a call what it was called with.
func detail(err error, format string, args ...any) error {
	if e, ok := err.(*Error); ok {
		e.Detail = fmt.Sprintf(format, args...)
	}
	return err
}

// refuse is the error of a call that is not made because OpenCL would do harm,
// or nothing of use, with what it was given.
func refuse(function string, s Status, format string, args ...any) error {
	return &Error{Func: function, Status: s, Detail: fmt.Sprintf(format, args...)}
}

// BuildError is a program that could not be built. It wraps the Status.
type BuildError struct {
	Device  string // the name of the device it was built for
	Options string
	Log     string // of the device's compiler
	Status  Status
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("clBuildProgram: %v on %s with options %q\n%s", e.Status, e.Device, e.Options, strings.TrimSpace(e.Log))
}

// Unwrap is the status, for errors.Is.
func (e *BuildError) Unwrap() error { return e.Status }

package app

import (
	"errors"
	"fmt"
)

// The exit codes of the program.
const (
	ExitOK          = 0
	ExitFailed      = 1   // something failed: a device, a full disk
	ExitInput       = 2   // the command line or the data are wrong
	ExitInterrupted = 130 // Ctrl-C
	ExitBrokenPipe  = 141 // nothing reads standard output any more
)

// inputError marks an error that the user can correct.
type inputError struct{ error }

func (e inputError) Unwrap() error { return e.error }

// InputError marks err as an error of the command line or the data, which ends
// the program with exit code 2. It returns nil if err is nil.
func InputError(err error) error {
	if err == nil {
		return nil
	}
	return inputError{err}
}

// InputErrorf returns a new error of the command line or the data.
func InputErrorf(format string, args ...any) error { return InputError(fmt.Errorf(format, args...)) }

// IsInputError reports whether err, or an error that it wraps, is one of the
// command line or the data.
func IsInputError(err error) bool { return errors.As(err, new(inputError)) }

// ExitCode returns the exit code for err.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitOK
	case IsInputError(err):
		return ExitInput
	default:
		return ExitFailed
	}
}

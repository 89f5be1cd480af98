package array

import "github.com/skelgo/skelgo/devices"

// Recording returns the recording that the calling goroutine is making, or nil.
// Packages vector, matrix and skel ask only here.
//
// While no goroutine of the program records, the answer takes one atomic load.
// While any does, it takes about two microseconds: devices.Current then has to
// find out which goroutine is asking.
func Recording() *devices.Recording { return devices.Current() }

// Refused returns an error if the calling goroutine is recording: the method of a
// container that what names needs the device at once. The recording fails.
func Refused(what string) error {
	if r := Recording(); r != nil {
		return r.Refuse("vector: " + what)
	}
	return nil
}

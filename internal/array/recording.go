package array

import "github.com/skelgo/skelgo/devices"

// Recording returns the recording that the calling goroutine is making, or nil.
// Packages vector, matrix and skel call it instead of devices.Current.
//
// If no goroutine of the program is recording, the call takes one atomic load.
// Otherwise it takes about two microseconds, because devices.Current must identify
// the calling goroutine.
func Recording() *devices.Recording { return devices.Current() }

// Refused returns an error if the calling goroutine is recording, and makes the
// recording fail. Functions of containers that need the device at once call it with
// their package and name, as in "vector: At".
func Refused(what string) error {
	if r := Recording(); r != nil {
		return r.Refuse(what)
	}
	return nil
}

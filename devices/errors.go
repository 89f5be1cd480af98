package devices

import (
	"fmt"
	"strings"
)

// MemoryError says that a device has no room for a buffer.
type MemoryError struct {
	Device string
	Asked  int64 // bytes
	Free   int64 // bytes that are not in use, after the pool was emptied
	Total  int64 // bytes that the device has
	Err    error // what the driver said
}

func (e *MemoryError) Error() string {
	s := fmt.Sprintf("%s: out of memory: asked for %s, %s of %s are free", e.Device, size(e.Asked), size(e.Free), size(e.Total))
	if e.Asked <= e.Free && e.Err != nil { // there is another reason, then
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}

// Unwrap is what the driver said.
func (e *MemoryError) Unwrap() error { return e.Err }

// NotFoundError says that a device that was asked for is not there.
type NotFoundError struct {
	Spec    string            // what was asked for: "cuda:0"
	Found   []string          // the devices there are, by ID
	Missing map[string]string // why a kind of device is missing, by the driver's name
	Reason  string            // what is wrong with Spec
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no device %q: %s", e.Spec, e.Reason)
	if len(e.Found) > 0 {
		fmt.Fprintf(&b, "; available: %s", strings.Join(e.Found, ", "))
	}
	return b.String()
}

// size writes a number of bytes for people.
func size(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	f, u := float64(n)/1024, 0
	for f >= 1024 {
		f, u = f/1024, u+1
	}
	return fmt.Sprintf("%.4g %ciB", f, units[u])
}

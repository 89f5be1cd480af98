package devices

import (
	"fmt"
	"strings"
)

// MemoryError reports that a device has no room for a buffer.
type MemoryError struct {
	Device string
	Asked  int64 // bytes
	Free   int64 // bytes not in use after the pool was emptied
	Total  int64 // the device's memory in bytes
	Err    error // the driver's error
}

func (e *MemoryError) Error() string {
	s := fmt.Sprintf("%s: out of memory: asked for %s, %s of %s are free",
		e.Device, size(e.Asked), size(e.Free), size(e.Total))
	if e.Asked <= e.Free && e.Err != nil { // so memory is not the reason
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}

// Unwrap returns the driver's error.
func (e *MemoryError) Unwrap() error { return e.Err }

// NotFoundError reports that no device matches a specification.
type NotFoundError struct {
	Spec    string            // what was asked for: "cuda:0"
	Found   []string          // the IDs of the available devices
	Missing map[string]string // why a kind of device is missing, keyed by the driver's name
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

// size formats a number of bytes.
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

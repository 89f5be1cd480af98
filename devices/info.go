package devices

import "github.com/skelgo/skelgo/devices/driver"

// Info describes a device; see [Device.Info].
type Info = driver.Info

// Kind is a kind of processor; see [Device.Kind].
type Kind = driver.Kind

// The kinds of processor.
const (
	CPU         = driver.CPU
	GPU         = driver.GPU
	Accelerator = driver.Accelerator
)

// Bytes returns the memory of s as bytes, for [Buffer.Read] and [Buffer.Write].
// It does not copy.
func Bytes[T any](s []T) []byte { return driver.Bytes(s) }

package kit

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func Beyond(i int, v vector.View[float32]) float32 { return v.At(i + 1) }

var Beyonds = skel.NewMapWith(Beyond)

// Checked runs f in checked mode. The native device finds bad indices without
// it, other devices do not.
func Checked(d *devices.Device, f func()) {
	for _, each := range Home(d).Devices() {
		old := each.Checked()
		each.SetChecked(true)
		defer each.SetChecked(old)
	}
	f()
}

// BadIndex checks that an error names a Go line and contains the text index.
func BadIndex(t *testing.T, err error, index string) {
	t.Helper()
	if err == nil {
		t.Error("no error for a bad index")
		return
	}
	if s := err.Error(); !strings.Contains(s, ".go:") || !strings.Contains(s, index) {
		t.Errorf("error %q does not name the Go line and %s", err, index)
	}
}

// Another returns a device other than d, or skips the test.
func Another(t *testing.T, d *devices.Device) *devices.Device {
	t.Helper()
	all, err := devices.List()
	OK(t, err)
	for _, o := range all {
		if o != d {
			return o
		}
	}
	t.Skip("there is only one device")
	return nil
}

// FailedVector returns a vector of n elements that could not be computed.
func FailedVector[T any](n int, err error) *vector.Vector[T] {
	return (*vector.Vector[T])(array.Failed[T](n, err))
}

type (
	Source       = vector.Source[float32]
	MatrixSource = matrix.Source[float32]
	MatrixOf     = *matrix.Matrix[float32]
)

func Reshape[T any](v *vector.Vector[T], rows, cols int) *matrix.Matrix[T] {
	return matrix.Of(v, rows, cols)
}

// HostOf returns the host copy of a vector.
func HostOf[T any](t *testing.T, v *vector.Vector[T]) []T {
	t.Helper()
	s, err := v.Host()
	OK(t, err)
	return s
}

func Increment(i int) int { return i + 1 }

var Increments = skel.NewMap(Increment)

// Record records a loop, and closes it after the test.
func Record(t *testing.T, body func() error) *skel.Loop {
	t.Helper()
	l, err := skel.Record(body)
	OK(t, err)
	t.Cleanup(func() { OK(t, l.Close()) })
	return l
}

// Recovered returns the message with which f panics, or "" if it does not.
func Recovered(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// Check is rapid.Check with n checks by default, of which rapid itself makes a fifth
// with -short.
func Check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	if devicestest.RaceDetector {
		n = max(1, n/5)
	}
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		if err := flag.Set(f.Name, strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = flag.Set(f.Name, f.DefValue) }()
	}
	rapid.Check(t, property)
}

func Widened(x float32) float64 { return float64(x) / 3 }

func Narrowed(x float64) float32 { return float32(x) }

var WidenedAll = skel.NewMap(Widened)

var NarrowedAll = skel.NewMap(Narrowed)

package kit

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Tester is the common part of testing.T and rapid.T.
type Tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Cleanup(func())
}

// spread holds the distribution of the containers in a test over several devices. The key
// is the first of these devices.
var spread sync.Map

// Home returns the distribution of the containers in a test: on d, or over several devices.
func Home(d *devices.Device) vector.Distribution {
	if s, ok := spread.Load(d); ok {
		return s.(vector.Distribution)
	}
	return vector.Single(d)
}

// Several reports whether the test spreads its containers over several devices.
func Several(d *devices.Device) bool {
	_, is := spread.Load(d)
	return is
}

// Put copies s to the device, and frees the vector after the test.
func Put[T any](t Tester, d *devices.Device, s []T) *vector.Vector[T] {
	t.Helper()
	v := vector.From(s, Home(d))
	t.Cleanup(v.Free)
	return v
}

// PutMatrix copies the rows of a matrix to the device, and frees the matrix after the test.
func PutMatrix[T any](t Tester, d *devices.Device, rows, cols int, s []T) *matrix.Matrix[T] {
	t.Helper()
	m := matrix.From(rows, cols, s, Home(d))
	t.Cleanup(m.Free)
	return m
}

// Expect checks that a result is bit-identical to want.
func Expect[T any](t Tester, got *vector.Vector[T], want []T) {
	t.Helper()
	s, err := got.Host()
	if err != nil {
		t.Fatal(err)
	}
	if diff := Differ(s, want); diff != "" {
		t.Fatal(diff)
	}
}

// ExpectMatrix checks the shape of a matrix, and that it is bit-identical to want.
func ExpectMatrix[T any](t Tester, got *matrix.Matrix[T], rows, cols int, want []T) {
	t.Helper()
	if got.Rows() != rows || got.Cols() != cols {
		t.Fatalf("shape %d x %d, want %d x %d", got.Rows(), got.Cols(), rows, cols)
	}
	Expect(t, got.Vector(), want)
}

// ExpectValue checks that the result of a reduction is bit-identical to want.
func ExpectValue[T any](t Tester, got *vector.Scalar[T], want T) {
	t.Helper()
	x, err := got.Value()
	if err != nil {
		t.Fatal(err)
	}
	if diff := Differ([]T{x}, []T{want}); diff != "" {
		t.Fatal(diff)
	}
}

// OK stops the test if err is not nil.
func OK(t Tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Differ describes the first element that differs; it returns "" if none does.
func Differ[T any](got, want []T) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d elements, want %d", len(got), len(want))
	}
	if bytes.Equal(driver.Bytes(got), driver.Bytes(want)) {
		return ""
	}
	for i := range got {
		if !same(reflect.ValueOf(&got[i]).Elem(), reflect.ValueOf(&want[i]).Elem()) {
			return fmt.Sprintf("element %d of %d = %v (bytes %x), want %v (bytes %x)",
				i, len(got), got[i], driver.Bytes(got[i:i+1]), want[i], driver.Bytes(want[i:i+1]))
		}
	}
	return "" // only padding or the bits of a NaN differ
}

// same reports whether a and b are bit-identical. Padding does not count, and all NaNs
// are equal: IEEE 754 does not specify the bits of a NaN, and devices differ.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	case reflect.Array:
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Name != "_" && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	default:
		return a.Equal(b)
	}
}

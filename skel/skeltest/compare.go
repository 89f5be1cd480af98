package skeltest

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

// tester is the part of testing.T that rapid.T has too.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Cleanup(func())
}

// spread says how containers are spread whose tests run on several devices, by
// the first of these.
var spread sync.Map

// home is where a test of a device, or of several, has its containers.
func home(d *devices.Device) vector.Distribution {
	if s, ok := spread.Load(d); ok {
		return s.(vector.Distribution)
	}
	return vector.Single(d)
}

// several says whether the tests of a device are of several.
func several(d *devices.Device) bool {
	_, is := spread.Load(d)
	return is
}

// put copies s to the device, and frees it after the test.
func put[T any](t tester, d *devices.Device, s []T) *vector.Vector[T] {
	t.Helper()
	v := vector.From(s, home(d))
	t.Cleanup(v.Free)
	return v
}

// putMatrix copies the rows of a matrix to the device, and frees them after
// the test.
func putMatrix[T any](t tester, d *devices.Device, rows, cols int, s []T) *matrix.Matrix[T] {
	t.Helper()
	m := matrix.From(rows, cols, s, home(d))
	t.Cleanup(m.Free)
	return m
}

// expect compares a result with what it must be, bit for bit.
func expect[T any](t tester, got *vector.Vector[T], want []T) {
	t.Helper()
	s, err := got.Host()
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ(s, want); diff != "" {
		t.Fatal(diff)
	}
}

// expectMatrix compares a matrix with its rows.
func expectMatrix[T any](t tester, got *matrix.Matrix[T], rows, cols int, want []T) {
	t.Helper()
	if got.Rows() != rows || got.Cols() != cols {
		t.Fatalf("shape %d x %d, want %d x %d", got.Rows(), got.Cols(), rows, cols)
	}
	expect(t, got.Vector(), want)
}

// expectValue compares the result of a reduction.
func expectValue[T any](t tester, got *vector.Scalar[T], want T) {
	t.Helper()
	x, err := got.Value()
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ([]T{x}, []T{want}); diff != "" {
		t.Fatal(diff)
	}
}

// ok stops the test at an error.
func ok(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// differ describes the first element that is not the same; "" when all are.
func differ[T any](got, want []T) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d elements, want %d", len(got), len(want))
	}
	if bytes.Equal(driver.Bytes(got), driver.Bytes(want)) {
		return ""
	}
	for i := range got {
		if !same(reflect.ValueOf(&got[i]).Elem(), reflect.ValueOf(&want[i]).Elem()) {
			return fmt.Sprintf("element %d of %d is %v (bytes %x), want %v (bytes %x)",
				i, len(got), got[i], driver.Bytes(got[i:i+1]), want[i], driver.Bytes(want[i:i+1]))
		}
	}
	return "" // only padding, or the bits of a NaN
}

// same reports whether a and b have the same bits. Padding does not count,
// and one NaN is as good as another: which bits it has is not part of IEEE
// 754, and devices differ.
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
	}
	return a.Equal(b)
}

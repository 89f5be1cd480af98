package matrix_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// each runs a test on every device, and on a fake.
func each(t *testing.T, f func(t *testing.T, d *devices.Device)) {
	devicestest.Each(t, f)
	_, d := fake(t)
	t.Run("fake", func(t *testing.T) {
		devicestest.NoLeaks(t, d)
		f(t, d)
	})
}

// fake returns a device that records calls, and whose memory the CPU cannot
// access.
func fake(t *testing.T) (*drivertest.Fake, *devices.Device) {
	f := drivertest.NewFake(drivertest.Options{Lazy: true})
	d := devices.Wrap("fake:0", f.Device(0))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, d
}

// grid returns rows*cols elements, each of which shows its row and column.
func grid(rows, cols int) []float64 {
	s := make([]float64, rows*cols)
	for i := range s {
		s[i] = float64(i/cols) + float64(i%cols)/1000
	}
	return s
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantHost[T any](t *testing.T, m *matrix.Matrix[T], want []T) {
	t.Helper()
	got, err := m.Host()
	ok(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func wantPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("panic %q, want one with %q", got, want)
		}
	}()
	f()
}

var shapes = [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 100}, {100, 1}, {3, 7}, {7, 3}, {64, 65}}

func TestShapes(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		for _, shape := range shapes {
			rows, cols := shape[0], shape[1]
			m := matrix.From(rows, cols, grid(rows, cols), on)
			if m.Rows() != rows || m.Cols() != cols || m.Vector().Len() != rows*cols || m.Device() != d ||
				m.Err() != nil {
				t.Errorf("%v: %d x %d on %v, error %v; want %d x %d on %v",
					m, m.Rows(), m.Cols(), m.Device(), m.Err(), rows, cols, d)
			}
			wantHost(t, m, grid(rows, cols))
			wantHost(t, matrix.New[float64](rows, cols, on), make([]float64, rows*cols))
			c := m.Clone()
			ok(t, c.Wait())
			if c.Rows() != rows || c.Cols() != cols {
				t.Errorf("Clone: %d x %d, want %d x %d", c.Rows(), c.Cols(), rows, cols)
			}
			m.Free()
			wantHost(t, c, grid(rows, cols))
		}
	})
}

func TestElements(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		m := matrix.From(5, 8, grid(5, 8), vector.Single(d))
		want := grid(5, 8)
		if x, err := m.At(4, 2); err != nil || x != want[34] {
			t.Errorf("element (4, 2) = %v, %v; want %v", x, err, want[34])
		}
		ok(t, m.Set(3, 7, -1))
		want[31] = -1
		row, err := m.Row(3)
		ok(t, err)
		if diff := cmp.Diff(want[24:32], row); diff != "" {
			t.Errorf("Row(3) (-want +got):\n%s", diff)
		}
		wantHost(t, m, want)
		if m.To(vector.Single(d)) != m {
			t.Error("To(the same distribution) returns a copy, want the matrix itself")
		}
		_, other := fake(t)
		moved := m.To(vector.Single(other))
		if moved.Device() != other || moved.Rows() != 5 || moved.Cols() != 8 {
			t.Errorf("To(Single(%v)) = %v, want 5 x 8 on that device", other, moved)
		}
		wantHost(t, moved, want)
		moved.Free()
	})
}

// TestRowTransfers checks that reading a row does not transfer others.
func TestRowTransfers(t *testing.T) {
	f, d := fake(t)
	m := matrix.From(100, 10, grid(100, 10), vector.Single(d))
	defer m.Free()
	_, err := m.Row(42)
	ok(t, err)
	_, err = m.At(42, 9)
	ok(t, err)
	if c := f.Calls(drivertest.Read); len(c) != 1 || c[0].Off != 8*420 || c[0].Bytes != 80 {
		t.Errorf("reads %v, want one of 80 bytes at 3360", c)
	}
}

// TestOf checks that a matrix of a vector shares its elements.
func TestOf(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(grid(4, 6), vector.Single(d))
		wide, tall := matrix.Of(v, 4, 6), matrix.Of(v, 12, 2)
		ok(t, wide.Set(1, 3, 99))
		if x, err := tall.At(4, 1); err != nil || x != 99 {
			t.Errorf("element (4, 1) = %v, %v; want 99", x, err)
		}
		if wide.Vector() != v {
			t.Error("Vector() is not the vector from which the matrix was made")
		}
	})
}

func TestBadArguments(t *testing.T) {
	_, d := fake(t)
	on := vector.Single(d)
	m := matrix.New[int](3, 4, on)
	defer m.Free()
	for want, f := range map[string]func(){
		"matrix: From: 2 x 3 needs 6 elements, got 5": func() {
			matrix.From(2, 3, grid(1, 5), on)
		},
		"matrix: From: shape -1 x -5 is negative": func() {
			matrix.From(-1, -5, grid(1, 5), on)
		},
		"matrix: New: shape -1 x 2 is negative": func() {
			matrix.New[int](-1, 2, on)
		},
		"matrix: Of: 5 x 2 needs 10 elements, the vector has 12": func() {
			matrix.Of(m.Vector(), 5, 2)
		},
		"matrix: Indices: shape 2 x -1 is negative": func() {
			matrix.Indices(2, -1)
		},
		"matrix: At: (3, 0) out of range of 3 x 4":  func() { _, _ = m.At(3, 0) },
		"matrix: At: (0, 4) out of range of 3 x 4":  func() { _, _ = m.At(0, 4) },
		"matrix: At: (0, -1) out of range of 3 x 4": func() { _, _ = m.At(0, -1) },
		"matrix: Set: (-1, 0) out of range of 3 x 4": func() {
			_ = m.Set(-1, 0, 1)
		},
		"matrix: Row: 3 out of range [0, 3)": func() { _, _ = m.Row(3) },
		"vector: elements of type string cannot live on a device": func() {
			matrix.New[string](1, 1, on)
		},
		"matrix: From: 9223372036854775807 x 2 needs too many elements, got 5": func() {
			matrix.From(1<<63-1, 2, grid(1, 5), on)
		},
		"matrix: Of: 4294967296 x 4294967296 needs too many elements, the vector has 12": func() {
			matrix.Of(m.Vector(), 1<<32, 1<<32)
		},
		"matrix: Of: 4294967296 x 2147483648 needs too many elements, the vector has 922337": func() {
			v := array.Deferred[int8](math.MaxInt, array.Single(d), nil, nil)
			matrix.Of((*vector.Vector[int8])(v), 1<<32, 1<<31)
		},
	} {
		t.Run(want, func(t *testing.T) { wantPanic(t, want, f) })
	}
}

// TestTooLarge checks that a size that no device can have is an error of the container and not a panic, as with
// vector.New.
func TestTooLarge(t *testing.T) {
	_, d := fake(t)
	on := vector.Single(d)
	const what = "4611686018427387904 x 4 has more elements than an int can count"
	m := matrix.New[int8](1<<62, 4, on)
	if m.Rows() != 1<<62 || m.Cols() != 4 {
		t.Errorf("shape %d x %d, want %d x 4", m.Rows(), m.Cols(), 1<<62)
	}
	_, host := m.Host()
	_, at := m.At(1<<61, 3)
	_, row := m.Row(1 << 61)
	for name, err := range map[string]error{
		"Err": m.Err(), "Wait": m.Wait(), "Host": host, "At": at, "Row": row, "Set": m.Set(1<<61, 3, 1),
		"Clone": m.Clone().Err(), "To": m.To(vector.Copy(d)).Err(), "Of": matrix.Of(m.Vector(), 1<<62, 4).Err(),
		"CopyFrom": m.Vector().CopyFrom(m.Clone().Vector()),
	} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v, want one with %q", name, err, what)
		}
	}
	if s := m.String(); !strings.Contains(s, what) {
		t.Errorf("String() = %q, want one with %q", s, what)
	}
	m.Free()
	if x := matrix.Indices(1<<32, 1<<32); x.Rows() != 1<<32 || x.Cols() != 1<<32 {
		t.Errorf("Indices(2^32, 2^32): shape %d x %d", x.Rows(), x.Cols())
	}
	if m := matrix.New[int64](1<<32, 1<<30, on); m.Err() == nil { // the bytes overflow
		t.Error("no error for 2^65 bytes")
	}
}

func TestErrorsStick(t *testing.T) {
	f, d := fake(t)
	m := matrix.New[int](3, 4, vector.Single(d))
	f.FailAt(drivertest.Read, 1, 1, nil)
	if _, err := m.Row(1); !errors.Is(err, drivertest.ErrInjected) {
		t.Fatalf("Row: error %v, want the injected one", err)
	}
	for name, err := range map[string]error{"Err": m.Err(), "Wait": m.Wait(), "Set": m.Set(0, 0, 1),
		"Clone": m.Clone().Err()} {
		if !errors.Is(err, drivertest.ErrInjected) {
			t.Errorf("%s after the error: %v, want the same error", name, err)
		}
	}
	if s := m.String(); !strings.Contains(s, "3 x 4 matrix, vector of 12 int, failed: ") {
		t.Errorf("String() = %q, want one that shows the error", s)
	}
}

func TestString(t *testing.T) {
	_, d := fake(t)
	m := matrix.New[float32](3, 4, vector.Single(d))
	defer m.Free()
	if got, want := m.String(), "3 x 4 matrix, vector of 12 float32 on fake:0"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestIndices(t *testing.T) {
	_, d := fake(t)
	x := matrix.Indices(3, 1<<40)
	if where := array.IndexMatrix(x).Distribution(); x.Rows() != 3 || x.Cols() != 1<<40 || where.Kind() != array.Auto {
		t.Errorf("%d x %d on %v", x.Rows(), x.Cols(), where)
	}
	if where := array.IndexMatrix(matrix.Indices(3, 4, vector.Single(d))).Distribution(); where.Device() != d {
		t.Errorf("on %v", where)
	}
}

// TestViewsOnTheCPU uses views in ordinary Go code, which works on the native device.
func TestViewsOnTheCPU(t *testing.T) {
	found, err := devices.Get("cpu")
	ok(t, err)
	m := matrix.From(3, 4, grid(3, 4), vector.Single(found[0]))
	defer m.Free()
	w := m.OutView()
	w.Set(1, 2, 10*w.At(2, 3))
	v := m.View()
	if v.Rows() != 3 || v.Cols() != 4 || w.Rows() != 3 || w.Cols() != 4 {
		t.Errorf("shapes %d x %d and %d x %d, want 3 x 4", v.Rows(), v.Cols(), w.Rows(), w.Cols())
	}
	if x, err := m.At(1, 2); err != nil || x != v.At(1, 2) || x != 10*2.003 {
		t.Errorf("element (1, 2) = %v, %v; want %v", x, err, 10*2.003)
	}
	for _, f := range []func(){func() { v.At(0, 4) }, func() { v.At(1, -1) }, func() { v.At(3, 0) },
		func() { v.At(-1, 0) }, func() { w.At(0, 4) }, func() { w.Set(0, 4, 1) }} {
		wantPanic(t, "out of range", f)
	}
	r, o := array.KindOf(reflect.TypeOf(v)), array.KindOf(reflect.TypeOf(w))
	if r != array.ReadMatrix || o != array.WriteMatrix {
		t.Errorf("kinds %v and %v", r, o)
	}
}

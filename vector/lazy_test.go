package vector_test

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// doubled is the expression 2*in, as package skel could implement it.
type doubled struct {
	in      *vector.Vector[int32]
	settled *int // counts how often it was computed
	err     error
}

func (e *doubled) Settle(dst *devices.Buffer) error {
	*e.settled++
	if e.err != nil {
		return e.err
	}
	s, err := e.in.Host()
	if err != nil {
		return err
	}
	out := make([]int32, len(s))
	for i, x := range s {
		out[i] = 2 * x
	}
	return dst.Write(0, driver.Bytes(out))
}

func arrayOf(v *vector.Vector[int32]) *array.Array { return (*array.Vector[int32])(v).Body() }

func double(in *vector.Vector[int32]) (*vector.Vector[int32], *doubled) {
	e := &doubled{in: in, settled: new(int)}
	return (*vector.Vector[int32])(array.Deferred[int32](in.Len(), arrayOf(in).Distribution(), e,
		[]*array.Array{arrayOf(in)})), e
}

func twice(n int) []int32 {
	s := ints(n)
	for i := range s {
		s[i] *= 2
	}
	return s
}

func TestLazyIsComputedOnce(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(ints(10), vector.Single(d))
		y, e := double(v)
		if *e.settled != 0 {
			t.Error("computed before it was needed")
		}
		wantHost(t, y, twice(10))
		wantHost(t, y, twice(10))
		ok(t, y.Wait())
		if *e.settled != 1 {
			t.Errorf("computed %d times, want once", *e.settled)
		}
	})
}

// TestTake checks that the first use as an input gets the expression, and later uses get the memory.
func TestTake(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	v := vector.From(ints(10), vector.Single(d))
	defer v.Free()
	y, e := double(v)
	defer y.Free()
	if l, _, err := arrayOf(y).Take(); l != e || err != nil {
		t.Errorf("first use: %v, %v; want the expression", l, err)
	}
	if l, _, err := arrayOf(y).Take(); l != nil || err != nil || *e.settled != 1 {
		t.Errorf("second use: %v, %v, computed %d times; want the memory, computed once", l, err, *e.settled)
	}
	if l, _, err := arrayOf(v).Take(); l != nil || err != nil {
		t.Errorf("a vector in memory: %v, %v; want the memory", l, err)
	}
}

// TestChangeSettlesDependents checks that a change of an input first computes the expressions that depend on it.
func TestChangeSettlesDependents(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	on := vector.Single(d)
	for name, change := range map[string]func(v *vector.Vector[int32]) error{
		"Set":      func(v *vector.Vector[int32]) error { return v.Set(0, 99) },
		"Write":    func(v *vector.Vector[int32]) error { return v.Write(1, []int32{5}) },
		"CopyFrom": func(v *vector.Vector[int32]) error { return v.CopyFrom(vector.New[int32](10, on)) },
		"Free":     func(v *vector.Vector[int32]) error { v.Free(); return nil },
		"Change":   func(v *vector.Vector[int32]) error { return arrayOf(v).Change() },
	} {
		t.Run(name, func(t *testing.T) {
			v := vector.From(ints(10), on)
			y, e := double(v)
			z, f := double(y)
			ok(t, change(v))
			if *e.settled != 1 || *f.settled != 0 {
				t.Errorf("computed %d and %d times, want 1 and 0", *e.settled, *f.settled)
			}
			wantHost(t, y, twice(10))
			z.Free()
			if *f.settled != 0 {
				t.Error("Free computed an expression that is not used")
			}
		})
	}
	runtime.GC()
}

// TestDependentsAreForgotten checks that short-lived expressions over one vector do not accumulate.
func TestDependentsAreForgotten(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	v := vector.From(ints(10), vector.Single(d))
	defer v.Free()
	var computed []*doubled
	for range 1000 {
		_, e := double(v)
		computed = append(computed, e)
	}
	for range 3 {
		runtime.GC()
	}
	ok(t, v.Set(0, 1))
	n := 0
	for _, e := range computed {
		n += *e.settled
	}
	if n > 10 { // the collector may miss a few
		t.Errorf("%d of 1000 dropped expressions were computed, want at most 10", n)
	}
}

func TestLazyErrorSticks(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	v := vector.From(ints(10), vector.Single(d))
	defer v.Free()
	y, e := double(v)
	e.err = errors.New("no luck")
	for range 2 {
		if err := y.Wait(); err != e.err {
			t.Errorf("Wait: error %v, want %v", err, e.err)
		}
	}
	if _, err := y.At(0); err != e.err || *e.settled != 1 {
		t.Errorf("At: error %v, computed %d times; want %v, once", err, *e.settled, e.err)
	}
	z, f := double(y)
	if err := z.Wait(); !errors.Is(err, e.err) || *f.settled != 1 {
		t.Errorf("an expression that depends on it: error %v, want %v", err, e.err)
	}
}

// TestLazyConcurrently uses a pending result in many goroutines at the same time.
func TestLazyConcurrently(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(ints(1000), vector.Single(d))
		y, e := double(v)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if x, err := y.At(i * 100); err != nil || x != twice(1000)[i*100] {
					t.Errorf("element %d = %d, %v; want %d", i*100, x, err, twice(1000)[i*100])
				}
				s, err := y.Host()
				if err != nil || s[999] != twice(1000)[999] {
					t.Errorf("Host: wrong elements; error %v", err)
				}
			})
		}
		all.Wait()
		if *e.settled != 1 {
			t.Errorf("computed %d times, want once", *e.settled)
		}
	})
}

func TestViewKinds(t *testing.T) {
	for typ, want := range map[reflect.Type]array.ViewKind{
		reflect.TypeFor[vector.View[int]]():             array.ReadVector,
		reflect.TypeFor[vector.OutView[point]]():        array.WriteVector,
		reflect.TypeFor[int]():                          array.NoView,
		reflect.TypeFor[point]():                        array.NoView,
		reflect.TypeFor[vector.Vector[int]]():           array.NoView,
		reflect.TypeFor[struct{ V vector.View[int] }](): array.NoView,
		reflect.TypeFor[[2]vector.View[float32]]():      array.NoView,
	} {
		if got := array.KindOf(typ); got != want {
			t.Errorf("KindOf(%v) = %v, want %v", typ, got, want)
		}
	}
}

// TestViewsOnTheCPU uses views in ordinary Go code, which works on the native device.
func TestViewsOnTheCPU(t *testing.T) {
	found, err := devices.Get("cpu")
	ok(t, err)
	v := vector.From(ints(5), vector.Single(found[0]))
	defer v.Free()
	w := v.OutView()
	w.Set(2, w.At(1)*100)
	if s := v.View().Slice(1, 3); !slices.Equal(s, []int32{2, 200}) || cap(s) != 2 {
		t.Errorf("elements 1 and 2 are %v", s)
	}
	if r := v.View(); r.Len() != 5 || w.Len() != 5 || r.At(2) != 200 {
		t.Errorf("lengths %d and %d, element %d; want 5, 5, 200", r.Len(), w.Len(), r.At(2))
	}
}

func TestIndices(t *testing.T) {
	_, d := fake(t, drivertest.Options{})
	x := vector.Indices(7)
	if where := array.IndexVector(x).Distribution(); x.Len() != 7 || where.Kind() != array.Auto {
		t.Errorf("Indices(7): length %d on %v", x.Len(), where)
	}
	x = vector.Indices(1<<40, vector.Single(d))
	if where := array.IndexVector(x).Distribution(); x.Len() != 1<<40 || where.Device() != d {
		t.Errorf("Indices on a device: length %d on %v", x.Len(), where)
	}
}

// TestCopyFromItself checks that copying a vector to itself changes nothing, directly and in a recording.
func TestCopyFromItself(t *testing.T) {
	each(t, func(t *testing.T, d *devices.Device) {
		v := vector.From(ints(10), vector.Single(d))
		ok(t, v.CopyFrom(v))
		r, err := devices.Record(func() error { return v.CopyFrom(v) })
		ok(t, err)
		ok(t, r.Replay(2))
		wantHost(t, v, ints(10))
		ok(t, r.Close())
		v.Free()
	})
}

package skel_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

type sites struct {
	Points, Centres matrix.View[float32]
	Scale           vector.View[float32]
}

// site returns the centre nearest to point i.
func site(i int, s sites) int32 {
	best, least := int32(0), float32(math.MaxFloat32)
	for k := range s.Centres.Rows() {
		var dist float32
		for j := range s.Points.Cols() {
			d := (s.Points.At(i, j) - s.Centres.At(k, j)) * s.Scale.At(j%s.Scale.Len())
			dist += d * d
		}
		if dist < least {
			best, least = int32(k), dist
		}
	}
	return best
}

// closeness returns the sum of all distances of point i. Unlike site, it shows every
// rounding.
func closeness(i int, s sites) float32 {
	var sum float32
	for k := range s.Centres.Rows() {
		for j := range s.Points.Cols() {
			d := s.Points.At(i, j) - s.Centres.At(k, j)
			sum += d * d * s.Scale.At(j%s.Scale.Len())
		}
	}
	return sum
}

// corner reads views without a loop.
func corner(i int, s sites) float32 {
	return s.Points.At(i, s.Points.Cols()-1) * s.Centres.At(s.Centres.Rows()-1, 0) * s.Scale.At(s.Scale.Len()-1)
}

var (
	nearestSites = skel.NewMapWith(site)
	closenesses  = skel.NewMapWith(closeness)
)

type siteSizes struct{ points, centres, cols, scales int }

// siteResults holds the results of both skeletons and the sums by site.
type siteResults struct {
	Sites  []int32
	Close  []uint32
	Totals []uint32
}

func callSites(t *testing.T, d *devices.Device, n siteSizes) (r siteResults) {
	t.Helper()
	on := vector.Single(d)
	values := func(n, seed int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32((i*7919+seed*104729)%1000) / 7
		}
		return v
	}
	points := matrix.From(n.points, n.cols, values(n.points*n.cols, 1), on)
	centres := matrix.From(n.centres, n.cols, values(n.centres*n.cols, 2), on)
	scale := vector.From(values(n.scales, 3), on)
	s := sites{points.View(), centres.View(), scale.View()}
	near := nearestSites.With(s).Apply(vector.Indices(n.points, on))
	far := closenesses.With(s).Apply(vector.Indices(n.points, on))
	totals := sum.RowsByKey(points, near, n.centres)
	bits := func(v *vector.Vector[float32]) (b []uint32) {
		x, err := v.Host()
		if err != nil {
			t.Fatal(d, n, err)
		}
		for _, x := range x {
			b = append(b, math.Float32bits(x))
		}
		return b
	}
	var err error
	r.Close, r.Totals = bits(far), bits(totals.Vector())
	if r.Sites, err = near.Host(); err != nil {
		t.Fatal(d, n, err)
	}
	for _, v := range []interface{ Free() }{points, centres, scale, near, far, totals} {
		v.Free()
	}
	return r
}

// TestShapes changes sizes from call to call, so that some kernels have them as constants and others as
// parameters. The results must be bit-identical.
func TestShapes(t *testing.T) {
	var calls []siteSizes
	for k := 1; k <= 6; k++ {
		calls = append(calls, siteSizes{300, k, 32, 2}, siteSizes{200 * k, 5, 4 * k, k})
	}
	calls = append(calls, siteSizes{513, 256, 34, 1025}, siteSizes{1, 1, 33, 1}, calls[0])
	cpus, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	want := make([]siteResults, len(calls))
	for i, n := range calls {
		want[i] = callSites(t, cpus[0], n)
	}
	check := func(d *devices.Device) {
		for i, n := range calls {
			if diff := cmp.Diff(want[i], callSites(t, d, n)); diff != "" {
				t.Errorf("%v %+v (-want +got):\n%s", d, n, diff)
			}
		}
	}
	devicestest.Each(t, func(_ *testing.T, d *devices.Device) { check(d) })
	if !devicestest.Thorough() {
		return // SKEL_TEST=all runs it with the kernels for GPUs
	}
	found, err := opencl.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range found {
		if dev.Info().Kind == driver.CPU {
			d := devices.Wrap("opencl:gpu-shape", asGPU{dev})
			check(d)
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// TestShapesAreFew checks that a size with many values does not lead to a kernel for each of them.
func TestShapesAreFew(t *testing.T) {
	for _, kind := range []driver.Kind{driver.CPU, driver.GPU} {
		d := devices.Wrap("idle", idle{kind})
		build := func(n siteSizes) int64 { return builds(t, d, closenesses, n) }
		build(siteSizes{2000, 16, 32, 1})
		if n := build(siteSizes{3000, 16, 32, 1}); n != 0 {
			t.Errorf("%v: another large size builds %d kernels, want 0", kind, n)
		}
		var n int64
		for k := range 100 {
			n += build(siteSizes{2000, 1 + k, 32, 1})
		}
		if n > 5 {
			t.Errorf("%v: 100 sizes build %d kernels, want at most 5", kind, n)
		}
		if n := build(siteSizes{2000, 200, 32, 1}); n != 0 {
			t.Errorf("%v: one more size builds %d kernels, want 0", kind, n)
		}
		for k := range 500 {
			n += build(siteSizes{1 + k%7, 1 + k%11, 1 + k%13, 1 + k%17})
		}
		if n > 17 {
			t.Errorf("%v: many shapes build %d kernels, want at most 17", kind, n)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// builds returns the number of kernels that a call builds.
func builds(t *testing.T, d *devices.Device, m *skel.MapWith[int, sites, float32], n siteSizes) int64 {
	t.Helper()
	before := d.Stats().Builds
	points := matrix.New[float32](n.points, n.cols, vector.Single(d))
	centres := matrix.New[float32](n.centres, n.cols, vector.Single(d))
	scale := vector.New[float32](n.scales, vector.Single(d))
	out := vector.New[float32](n.points, vector.Single(d))
	s := sites{points.View(), centres.View(), scale.View()}
	if err := m.With(s).ApplyTo(out, vector.Indices(n.points)); err != nil {
		t.Fatal(err)
	}
	return d.Stats().Builds - before
}

// TestShapesAreUseful checks that an extent is no constant if nothing can be gained by it: if the function
// does not use it, or has no loop.
func TestShapesAreUseful(t *testing.T) {
	d := devices.Wrap("idle", idle{driver.GPU})
	closenesses, corners := skel.NewMapWith(closeness), skel.NewMapWith(corner) // a skeleton remembers its shapes
	builds(t, d, closenesses, siteSizes{100, 16, 32, 1})
	for _, c := range []struct {
		what string
		m    *skel.MapWith[int, sites, float32]
		n    siteSizes
		want int64
	}{
		{"rows that are only read", closenesses, siteSizes{200, 16, 32, 1}, 0},
		{"rows that bound a loop", closenesses, siteSizes{100, 17, 32, 1}, 1},
		{"a function without a loop", corners, siteSizes{100, 16, 32, 1}, 1},
		{"the same of other sizes", corners, siteSizes{200, 17, 33, 2}, 0},
	} {
		if n := builds(t, d, c.m, c.n); n != c.want {
			t.Errorf("%s: %d kernels are built, want %d", c.what, n, c.want)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// TestShapesOfWrongForm checks that a function whose device form has other views is an error on a GPU.
func TestShapesOfWrongForm(t *testing.T) {
	form := &registry.Func{Name: "test.corner", Form: &emit.Form{Ident: "test_corner", Result: "f32"}}
	m := skel.MapWithForm(corner, form)
	d := devices.Wrap("idle", idle{driver.GPU})
	defer d.Close()
	points := matrix.New[float32](3, 2, vector.Single(d))
	scale := vector.New[float32](1, vector.Single(d))
	x := m.With(sites{points.View(), points.View(), scale.View()}).Apply(vector.Indices(3, vector.Single(d)))
	if err := x.Wait(); err == nil || !strings.Contains(err.Error(), "Map(test.corner): its extra argument has 3") {
		t.Errorf("error %v, want one about the extra argument", err)
	}
}

// asGPU is a CPU device that claims to be a GPU.
type asGPU struct{ driver.Device }

func (g asGPU) Info() driver.Info {
	info := g.Device.Info()
	info.Kind = driver.GPU
	return info
}

package baseline_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/tmixture"
	raw "github.com/skelgo/skelgo/apps/tmixture/baseline"
	"github.com/skelgo/skelgo/apps/tmixture/plain"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// fit runs all steps of the hand-written version.
func fit(points []float64, n, p, g int, labels []int32, iterations int) (m *raw.Model, err error) {
	program, err := raw.Open(0)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	if err := program.Build(); err != nil {
		return nil, err
	}
	if err := program.Upload(points, n, p, g); err != nil {
		return nil, err
	}
	return program.Run(labels, iterations)
}

// TestSameAsTMixture compares the hand-written version and the plain one with package tmixture
// on all devices, at sizes around those of tiles and work-groups.
func TestSameAsTMixture(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, c := range []struct{ n, p, g, iterations int }{
		{40, 1, 1, 1}, {255, 3, 2, 4}, {257, 16, 3, 4}, {513, 17, 2, 3}, {2000, 64, 8, 4}, {1500, 65, 2, 4},
	} {
		points, labels := tmixture.Spikes(c.n, c.p, c.g)
		want, err := fit(points, c.n, c.p, c.g, labels, c.iterations)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			devicestest.Each(t, func(t *testing.T, d *devices.Device) {
				x := matrix.From(c.n, c.p, points, vector.Single(d))
				defer x.Free()
				got, err := tmixture.Fit(context.Background(), x, tmixture.Options{
					Components: c.g, Labels: labels, MaxIter: c.iterations,
				})
				if err != nil {
					t.Fatal(err)
				}
				if err := tmixture.Agree(got, want, 1e-9); err != nil {
					t.Error(err)
				}
				short, err := plain.Fit(x, labels, c.g, c.iterations)
				if err != nil {
					t.Fatal(err)
				}
				if err := tmixture.Agree(got, (*raw.Model)(short), 1e-9); err != nil {
					t.Errorf("plain: %v", err)
				}
			})
		})
	}
}

// TestUnderflow has units in which all densities are 0 in float64.
func TestUnderflow(t *testing.T) {
	baseline.RequireOpenCL(t)
	const n, p, unit = 600, 64, 1e6
	points, labels := tmixture.Spikes(n, p, 2)
	want, err := fit(points, n, p, 2, labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	for v := range points {
		points[v] *= unit
	}
	got, err := fit(points, n, p, 2, labels, 2)
	if err != nil {
		t.Fatal(err)
	}
	if l := got.LogLik + n*p*math.Log(unit); math.Abs(l-want.LogLik) > 1e-6 {
		t.Errorf("log-likelihood %v, want %v", l, want.LogLik)
	}
}

// TestCollapse checks the error for a component whose rows are in a plane.
func TestCollapse(t *testing.T) {
	baseline.RequireOpenCL(t)
	points := make([]float64, 20)
	for i := range points {
		points[i] = rand.New(rand.NewPCG(1, uint64(i/2))).Float64() // two equal columns
	}
	_, err := fit(points, 10, 2, 1, make([]int32, 10), 2)
	if err == nil || err.Error() != "component 0 has collapsed: its covariance matrix is singular" {
		t.Error(err)
	}
}

// TestProfile checks that the profile has the kernels of an iteration.
func TestProfile(t *testing.T) {
	baseline.RequireOpenCL(t)
	const n, p, g = 1000, 16, 3
	points, labels := tmixture.Spikes(n, p, g)
	program, err := raw.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if err := program.Build(); err != nil {
		t.Fatal(err)
	}
	if err := program.Upload(points, n, p, g); err != nil {
		t.Fatal(err)
	}
	kernels, err := program.Profile(labels)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]raw.Kernel{}
	for _, k := range kernels {
		found[k.Name] = k
	}
	// The bytes are those of chapter 4 of the thesis: two accesses of 8 bytes for each element.
	if k := found["subtract"]; k.Launches != g || k.Bytes != 2*8*n*p*g || k.Time <= 0 {
		t.Errorf("%+v", k)
	}
	if k := found["weights"]; k.Launches != 1 || k.Bytes != 2*8*n*g {
		t.Errorf("%+v", k)
	}
	if len(kernels) != 14 { // all but swap
		t.Errorf("%d kernels: %+v", len(kernels), kernels)
	}
	// The program works as before.
	m, err := program.Run(labels, 2)
	if err != nil || mat.Trace(m.Covariances[0]) <= 0 {
		t.Error(m, err)
	}
}

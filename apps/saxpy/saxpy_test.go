package saxpy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/saxpy"
	raw "github.com/skelgo/skelgo/apps/saxpy/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

func Example() {
	x, y := vector.From([]float32{1, 2, 3}), vector.From([]float32{4, 5, 6})
	if err := saxpy.Update(10, x, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y.Host())
	// Output: [14 25 36] <nil>
}

var sizes = []int{1, 255, 256, 257, 100_003}

const a = 1.1

// data returns two vectors and a*x + y, rounded after each operation.
func data(n int) (x, y, want []float32) {
	r := rand.New(rand.NewPCG(2, uint64(n)))
	x, y, want = make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = r.Float32()-0.5, r.Float32()-0.5
		want[i] = float32(a*x[i]) + y[i]
	}
	return x, y, want
}

func TestUpdate(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		for _, n := range sizes {
			x, y, want := data(n)
			v := vector.From(y, on)
			if err := saxpy.Update(a, vector.From(x, on), v); err != nil {
				t.Fatal(err)
			}
			got, err := v.Host()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("n=%d: %v, %s", n, err, cmp.Diff(want, got))
			}
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, n := range sizes {
		x, y, want := data(n)
		got, err := runRaw(x, y)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("n=%d: %v, %s", n, err, cmp.Diff(want, got))
		}
	}
}

// runRaw runs the hand-written version from beginning to end.
func runRaw(x, y []float32) ([]float32, error) {
	p, err := raw.Open(0)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		return nil, err
	}
	if err := p.Upload(x, y); err != nil {
		return nil, err
	}
	if err := p.Run(a); err != nil {
		return nil, err
	}
	return p.Download()
}

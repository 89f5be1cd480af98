package matmul_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/matmul"
	raw "github.com/skelgo/skelgo/apps/matmul/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func Example() {
	a := matrix.From(2, 2, []float32{1, 2, 3, 4})
	b := matrix.From(2, 1, []float32{5, 6})
	fmt.Println(matmul.Product(a, b).Host())
	// Output: [17 39] <nil>
}

// inputs returns two matrices and their product, computed by plain loops.
func inputs(n, m, d int) (a, b, c []float32) {
	a, b, c = make([]float32, n*d), make([]float32, d*m), make([]float32, n*m)
	for i := range a {
		a[i] = float32(i%1000)/1000 - 0.5
	}
	for i := range b {
		b[i] = float32(i%777)/777 - 0.5
	}
	for i := range c {
		for k := range d {
			c[i] = math32.FMA(a[i/m*d+k], b[k*m+i%m], c[i])
		}
	}
	return a, b, c
}

var shapes = [][3]int{{1, 1, 1}, {61, 83, 47}, {64, 128, 32}, {130, 70, 200}}

func TestProduct(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, s := range shapes {
			a, b, want := inputs(s[0], s[1], s[2])
			on := vector.Single(d)
			got, err := matmul.Product(matrix.From(s[0], s[2], a, on), matrix.From(s[2], s[1], b, on)).Host()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v: not the product of plain loops; error %v", s, err)
			}
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, s := range shapes {
		a, b, want := inputs(s[0], s[1], s[2])
		got, err := runRaw(a, b, s[0], s[1], s[2])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: not the product of plain loops; error %v", s, err)
		}
	}
}

// runRaw runs the hand-written version from beginning to end.
func runRaw(a, b []float32, n, m, d int) ([]float32, error) {
	p, err := raw.Open(0)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		return nil, err
	}
	if err := p.Upload(a, b, n, m, d); err != nil {
		return nil, err
	}
	if err := p.Run(); err != nil {
		return nil, err
	}
	return p.Download()
}

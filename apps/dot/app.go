package dot

import (
	"fmt"
	"math"

	raw "github.com/skelgo/skelgo/apps/dot/baseline"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// App is the dot product.
var App = app.App{
	Name: "dot",
	Comparison: &baseline.Comparison{
		N:     1 << 24,
		Size:  func(n int) string { return fmt.Sprintf("%d float32", n) },
		Bytes: func(n float64) float64 { return 16 * n },
		Versions: []baseline.Version{
			{Name: "skelgo", Host: []string{"dot.go"}, Generated: []string{"zkernels.go"}},
			{Name: "raw-tree", Host: []string{"baseline/dot.go"}, Kernel: []string{"baseline/tree.cl"}},
			{Name: "raw-chunk", Host: []string{"baseline/dot.go"}, Kernel: []string{"baseline/chunk.cl"}},
		},
		Programs: programs,
	},
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	hostX, hostY := inputs(n)
	var first, result float32
	known := false

	var x, y *vector.Vector[float32]
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			x, y = vector.From(hostX, vector.Single(d)), vector.From(hostY, vector.Single(d))
			return d.Sync()
		},
		Run:   func() (err error) { result, err = Product(x, y); return err },
		Close: func() error { x.Free(); y.Free(); return nil },
	})
	number, id := baseline.Device(d)
	for _, form := range []struct {
		version string
		form    raw.Form
	}{{"raw-tree", raw.Tree}, {"raw-chunk", raw.Chunk}} {
		var p *raw.Program
		all = append(all, baseline.Program{
			Version: form.version, Device: id,
			Open:   func() (err error) { p, err = raw.Open(number, form.form); return err },
			Build:  func() error { return p.Build() },
			Upload: func() error { return p.Upload(hostX, hostY) },
			Run:    func() (err error) { result, err = p.Run(); return err },
			Close:  func() error { return p.Close() },
		})
	}
	return all, func() error {
		if !known {
			first, known = result, true
		}
		if d := math.Abs(float64(result - first)); d > 1e-6*float64(n) {
			return fmt.Errorf("the product is %v, and skelgo's is %v", result, first)
		}
		return nil
	}
}

// inputs returns two vectors of n elements.
func inputs(n int) (x, y []float32) {
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000)/1000-0.5, float32(i%777)/777-0.5
	}
	return x, y
}

package matmul

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/matmul/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// App is the product of matrices.
var App = app.App{
	Name: "matmul",
	Comparison: &baseline.Comparison{
		N:     1024,
		Size:  func(n int) string { return fmt.Sprintf("%d x %d float32", n, n) },
		Bytes: func(n float64) float64 { return 24 * n * n },
		Versions: []baseline.Version{
			{Name: "skelgo", Host: []string{"matmul.go"}, Generated: []string{"zkernels.go"}},
			{Name: "raw", Host: []string{"baseline/matmul.go"}, Kernel: []string{"baseline/matmul.cl"}},
		},
		Programs: programs,
	},
	Rows: benchRows,
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	hostA, hostB := inputs(n * n)
	var result baseline.Results[float32]

	var a, b, c *matrix.Matrix[float32]
	free := func(all ...*matrix.Matrix[float32]) {
		for _, m := range all {
			if m != nil {
				m.Free()
			}
		}
	}
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			a, b = matrix.From(n, n, hostA, vector.Single(d)), matrix.From(n, n, hostB, vector.Single(d))
			return d.Sync()
		},
		Run: func() error {
			free(c)
			c = Product(a, b)
			return c.Wait()
		},
		Download: func() error {
			host, err := c.Host()
			result.Last = append([]float32(nil), host...)
			return err
		},
		Close: func() error { free(a, b, c); return nil },
	})
	number, id := baseline.Device(d)
	var p *raw.Program
	return append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:     func() (err error) { p, err = raw.Open(number); return err },
		Build:    func() error { return p.Build() },
		Upload:   func() error { return p.Upload(hostA, hostB, n, n, n) },
		Run:      func() error { return p.Run() },
		Download: func() (err error) { result.Last, err = p.Download(); return err },
		Close:    func() error { return p.Close() },
	}), result.Agree
}

// inputs returns two vectors of n elements.
func inputs(n int) (x, y []float32) {
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000)/1000-0.5, float32(i%777)/777-0.5
	}
	return x, y
}

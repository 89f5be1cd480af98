package saxpy

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/saxpy/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// App is y = a*x + y.
var App = app.App{
	Name: "saxpy",
	Comparison: &baseline.Comparison{
		N:     1 << 24,
		Size:  func(n int) string { return fmt.Sprintf("%d float32", n) },
		Bytes: func(n float64) float64 { return 24 * n },
		Versions: []baseline.Version{
			{Name: "skelgo", Host: []string{"saxpy.go"}, Generated: []string{"zkernels.go"}},
			{Name: "raw", Host: []string{"baseline/saxpy.go"}, Kernel: []string{"baseline/saxpy.cl"}},
		},
		Programs: programs,
	},
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	const a = 0.75
	hostX, hostY := inputs(n)
	var result baseline.Results[float32]

	var x, y *vector.Vector[float32]
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			x, y = vector.From(hostX, vector.Single(d)), vector.From(hostY, vector.Single(d))
			return d.Sync()
		},
		Run: func() error {
			if err := Update(a, x, y); err != nil {
				return err
			}
			return d.Sync()
		},
		Download: func() (err error) {
			host, err := y.Host()
			result.Last = append([]float32(nil), host...)
			return err
		},
		Close: func() error { x.Free(); y.Free(); return nil },
	})
	number, id := baseline.Device(d)
	var p *raw.Program
	return append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:     func() (err error) { p, err = raw.Open(number); return err },
		Build:    func() error { return p.Build() },
		Upload:   func() error { return p.Upload(hostX, hostY) },
		Run:      func() error { return p.Run(a) },
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

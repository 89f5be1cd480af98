package mandelbrot

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/mandelbrot/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// App is the Mandelbrot set.
var App = app.App{
	Name: "mandelbrot",
	Comparison: &baseline.Comparison{
		N:     1024,
		Size:  func(n int) string { return fmt.Sprintf("%d x %d pixels", n, n) },
		Bytes: func(n float64) float64 { return 12 * n * n },
		Versions: []baseline.Version{
			{Name: "skelgo", Host: []string{"mandelbrot.go"}, Generated: []string{"zkernels.go"}},
			{Name: "raw", Host: []string{"baseline/mandelbrot.go"}, Kernel: []string{"baseline/mandelbrot.cl"}},
		},
		Programs: programs,
	},
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	w := Window{Left: -2.25, Top: 1.5, Step: 3 / float32(n), Limit: 256}
	var result baseline.Results[int32]

	var image *matrix.Matrix[int32]
	free := func() {
		if image != nil {
			image.Free()
		}
		image = nil
	}
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Run: func() error {
			free()
			image = Image(n, n, w, vector.Single(d))
			return image.Wait()
		},
		Download: func() error {
			host, err := image.Host()
			result.Last = append([]int32(nil), host...)
			return err
		},
		Close: func() error { free(); return nil },
	})
	number, id := baseline.Device(d)
	var p *raw.Program
	return append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:     func() (err error) { p, err = raw.Open(number); return err },
		Build:    func() error { return p.Build() },
		Upload:   func() error { return p.Allocate(n, n) },
		Run:      func() error { return p.Run(w.Left, w.Top, w.Step, w.Limit) },
		Download: func() (err error) { result.Last, err = p.Download(); return err },
		Close:    func() error { return p.Close() },
	}), result.Agree
}

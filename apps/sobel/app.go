package sobel

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/sobel/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// App is edge detection.
var App = app.App{
	Name: "sobel",
	Comparison: &baseline.Comparison{
		N:     4096,
		Size:  func(n int) string { return fmt.Sprintf("%d x %d pixels", n, n) },
		Bytes: func(n float64) float64 { return 5 * n * n },
		Versions: []baseline.Version{
			{Name: "skelgo", Host: []string{"sobel.go"}, Generated: []string{"zkernels.go"}},
			{Name: "raw", Host: []string{"baseline/sobel.go"}, Kernel: []string{"baseline/sobel.cl"}},
		},
		Programs: programs,
	},
}

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	host := make([]uint8, n*n)
	for i := range host {
		host[i] = uint8(i*i/7 + i/n*31)
	}
	var result baseline.Results[uint8]

	var image, edges *matrix.Matrix[uint8]
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			image = matrix.From(n, n, host, vector.Single(d))
			return d.Sync()
		},
		Run: func() error {
			if edges != nil {
				edges.Free()
			}
			edges = Edges(image)
			return edges.Wait()
		},
		Download: func() error {
			s, err := edges.Host()
			result.Last = append([]uint8(nil), s...)
			return err
		},
		Close: func() error { edges.Free(); edges = nil; image.Free(); return nil },
	})
	number, id := baseline.Device(d)
	var p *raw.Program
	return append(all, baseline.Program{
		Version: "raw", Device: id,
		Open:     func() (err error) { p, err = raw.Open(number); return err },
		Build:    func() error { return p.Build() },
		Upload:   func() error { return p.Upload(n, n, host) },
		Run:      func() error { return p.Run() },
		Download: func() (err error) { result.Last, err = p.Download(); return err },
		Close:    func() error { return p.Close() },
	}), result.Agree
}

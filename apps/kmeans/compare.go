package kmeans

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const (
	clusters   = 5
	iterations = 10 // at most
)

var comparison = &baseline.Comparison{
	N: 100_000, Size: size, Bytes: func(n float64) float64 { return 8 * 34 * n },
	Versions: []baseline.Version{
		{Name: "skelgo", Host: []string{"kmeans.go"}, Generated: []string{"zkernels.go"}},
		{
			Name: "raw-paper", Host: []string{"baseline/find.go", "baseline/paper.go"},
			Kernel: []string{"baseline/paper.cl"},
		},
		{
			Name: "raw-device", Host: []string{"baseline/find.go", "baseline/device.go"},
			Kernel: []string{"baseline/device.cl"},
		},
	},
	Programs: programs,
}

func size(n int) string {
	return fmt.Sprintf("%d points of %d float32, k = %d, at most %d iterations", n, KDDDim, clusters, iterations)
}

func programs(d *devices.Device, n int) (all []baseline.Program, agree func() error) {
	host := KDD(n)
	start := host[:min(clusters, n)*KDDDim]
	var result baseline.Results[int32] // the labels

	var points *matrix.Matrix[float32]
	var r *Result[float32]
	free := func() {
		if r != nil {
			r.Free()
		}
		r = nil
	}
	all = append(all, baseline.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			points = matrix.From(n, KDDDim, host, vector.Single(d))
			return points.Wait()
		},
		Run: func() (err error) {
			free()
			r, err = Cluster(context.Background(), points, Options{
				K: clusters, Init: First, MaxIter: iterations,
			})
			return err
		},
		Download: func() error {
			labels, err := r.Labels.Host()
			result.Last = slices.Clone(labels)
			return err
		},
		Close: func() error { free(); points.Free(); return nil },
	})

	number, id := baseline.Device(d)
	var paper *raw.Paper
	var lap time.Time
	parts := map[string]time.Duration{}
	all = append(all, baseline.Program{
		Version: "raw-paper", Device: id,
		Open: func() (err error) { paper, err = raw.OpenPaper(number); return err },
		Build: func() error {
			paper.Lap = func(part string) {
				parts[part] += time.Since(lap)
				lap = time.Now()
			}
			return paper.Build()
		},
		Upload: func() error { return paper.Upload(host, n, KDDDim, clusters) },
		Run: func() (err error) {
			clear(parts)
			lap = time.Now()
			result.Last, _, err = paper.Run(slices.Clone(start), iterations)
			return err
		},
		Host:   func() time.Duration { return parts["host"] },
		Moving: func() time.Duration { return parts["transfer"] },
		Close:  func() error { return paper.Close() },
	})

	var twin *raw.OnDevice
	all = append(all, baseline.Program{
		Version: "raw-device", Device: id,
		Open:     func() (err error) { twin, err = raw.OpenOnDevice(number); return err },
		Build:    func() error { return twin.Build() },
		Upload:   func() error { return twin.Upload(host, n, KDDDim, clusters) },
		Run:      func() (err error) { _, err = twin.Run(start, iterations); return err },
		Download: func() (err error) { result.Last, _, err = twin.Download(); return err },
		Close:    func() error { return twin.Close() },
	})
	return all, result.Agree
}

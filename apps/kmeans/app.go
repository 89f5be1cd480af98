package kmeans

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// App is the k-means application.
var App = app.App{
	Name:     "kmeans",
	Help:     "Divide objects into clusters (k-means).",
	Command:  Command{},
	Demo:     Demo{},
	DemoHelp: "Cluster the iris data, or generated objects.",
	Comparison: &baseline.Comparison{
		N:     100_000,
		Size:  size,
		Bytes: func(n float64) float64 { return 8 * KDDDim * n },
		Versions: []baseline.Version{
			{Name: "skelgo-plain", Host: []string{"plain.go"}},
			{
				Name: "skelgo", Generated: []string{"zkernels.go"},
				Host: []string{
					"kmeans.go", "options.go", "seed.go", "empty.go",
					"../internal/fit/best.go", "../internal/fit/random.go", "../internal/fit/repeat.go",
				},
			},
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
	},
	Rows:   benchRows,
	Scaled: benchScaled,
	Short:  "demo kmeans",
	Long:   "demo kmeans --n 200000 -k 300 --dim 8 --init first --labels labels --centers centers.csv",
}

// The number of clusters and the maximum number of iterations of the comparison.
const (
	clusters   = 5
	iterations = 10
)

func size(n int) string {
	return fmt.Sprintf("%d points of %d float32, k = %d, at most %d iterations", n, KDDDim, clusters, iterations)
}

// programs returns the two versions of skelgo and the two hand-written ones.
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
	var plainLabels *vector.Vector[int32]
	all = append(all, baseline.Program{
		Version: "skelgo-plain", Device: d.ID(),
		Upload: func() error {
			points = matrix.From(n, KDDDim, host, vector.Single(d))
			return points.Wait()
		},
		Run: func() (err error) {
			first := matrix.From(min(clusters, n), KDDDim, start, vector.Single(d))
			_, plainLabels, err = Plain(points, first, iterations)
			return err
		},
		Download: func() error {
			labels, err := plainLabels.Host()
			result.Last = slices.Clone(labels)
			return err
		},
		Close: func() error { points.Free(); return nil },
	})
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
		HostTime:     func() time.Duration { return parts["host"] },
		TransferTime: func() time.Duration { return parts["transfer"] },
		Close:        func() error { return paper.Close() },
	})

	var onDevice *raw.OnDevice
	all = append(all, baseline.Program{
		Version: "raw-device", Device: id,
		Open:     func() (err error) { onDevice, err = raw.OpenOnDevice(number); return err },
		Build:    func() error { return onDevice.Build() },
		Upload:   func() error { return onDevice.Upload(host, n, KDDDim, clusters) },
		Run:      func() (err error) { _, err = onDevice.Run(start, iterations); return err },
		Download: func() (err error) { result.Last, _, err = onDevice.Download(); return err },
		Close:    func() error { return onDevice.Close() },
	})
	return all, result.Agree
}

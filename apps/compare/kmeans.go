package compare

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skelgo/skelgo/apps/internal/kdd"
	"github.com/skelgo/skelgo/apps/kmeans"
	rawkmeans "github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

const (
	clusters   = 5
	iterations = 10 // at most
)

func kmeansSize(n int) string {
	return fmt.Sprintf("%d points of %d float32, k = %d, at most %d iterations", n, kdd.Dim, clusters, iterations)
}

func kmeansPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	host := kdd.Points(n)
	start := host[:min(clusters, n)*kdd.Dim]
	var result differ[int32] // the labels

	var points *matrix.Matrix[float32]
	var r *kmeans.Result[float32]
	free := func() {
		if r != nil {
			r.Free()
		}
		r = nil
	}
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		upload: func() error {
			points = matrix.From(n, kdd.Dim, host, vector.Single(d))
			return points.Wait()
		},
		run: func() (err error) {
			free()
			r, err = kmeans.Cluster(context.Background(), points, kmeans.Options{
				K: clusters, Init: kmeans.First, MaxIter: iterations,
			})
			return err
		},
		download: func() error {
			labels, err := r.Labels.Host()
			result.last = slices.Clone(labels)
			return err
		},
		close: func() error { free(); points.Free(); return nil },
	})

	number, id := rawDevice(d)
	var paper *rawkmeans.Paper
	var lap time.Time
	parts := map[string]time.Duration{}
	all = append(all, program{
		twin: "raw-paper", device: id,
		open: func() (err error) { paper, err = rawkmeans.OpenPaper(number); return err },
		build: func() error {
			paper.Lap = func(part string) {
				parts[part] += time.Since(lap)
				lap = time.Now()
			}
			return paper.Build()
		},
		upload: func() error { return paper.Upload(host, n, kdd.Dim, clusters) },
		run: func() (err error) {
			clear(parts)
			lap = time.Now()
			result.last, _, err = paper.Run(slices.Clone(start), iterations)
			return err
		},
		host:   func() time.Duration { return parts["host"] },
		moving: func() time.Duration { return parts["transfer"] },
		close:  func() error { return paper.Close() },
	})

	var twin *rawkmeans.OnDevice
	all = append(all, program{
		twin: "raw-device", device: id,
		open:     func() (err error) { twin, err = rawkmeans.OpenOnDevice(number); return err },
		build:    func() error { return twin.Build() },
		upload:   func() error { return twin.Upload(host, n, kdd.Dim, clusters) },
		run:      func() (err error) { _, err = twin.Run(start, iterations); return err },
		download: func() (err error) { result.last, _, err = twin.Download(); return err },
		close:    func() error { return twin.Close() },
	})
	return all, result.agree
}

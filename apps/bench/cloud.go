package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/internal/kdd"
	"github.com/skelgo/skelgo/apps/kmeans"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
)

// coordinate i of a cloud of 32 dimensions in 16 groups.
func coordinate(i, first int) float32 {
	group := int(random(i/cloudDim+first) >> 60)
	return 2*uniform[float32](group*cloudDim+i%cloudDim, second) + uniform[float32](i, first)
}

const cloudDim = 32

var coordinates = source[float32]{skel.NewMapWith(coordinate), coordinate}

// clouds are the rows of k-means.
func clouds(s *session) []*Row {
	return []*Row{
		cloudRow(s, kdd.N, kdd.Dim, 5, 30),
		cloudRow(s, 10_000_000, cloudDim, 16, 20),
		cloudRow(s, 10_000_000, cloudDim, 256, 4),
	}
}

// cloudRow is an iteration of k-means. The device copy as its yardstick tells
// how far it is from reading the points once.
func cloudRow(s *session, n, dim, k int, goal float64) *Row {
	n = max(s.size(n), 4*k)
	r := &Row{
		Name:   fmt.Sprintf("KMeans/type=float32/n=%d/dim=%d/k=%d", n, dim, k),
		Bytes:  4 * int64(n) * int64(dim),
		Ops:    3 * float64(n) * float64(dim) * float64(k),
		Memory: 12 * int64(n) * int64(dim),
		Goals:  append(s.gpuGoals("torch", goal), s.gpuGoals("raw-paper", 1.5)...),
	}
	r.Goals = append(r.Goals, s.gpuGoals("raw-device", 1.5)...)
	r.open = func(s *session) (_ *bout, err error) {
		p, points, err := newCloud(s, n, dim, k)
		if err != nil {
			return nil, err
		}
		b := &bout{free: freeing(points)}
		b.check = func() error { return checkCloud(s, dim, k, min(n, 20_000)) }
		b.sample = openSkelgo(points, k).sample
		return b, s.cloudRivals(b, p)
	}
	return r
}

// newCloud makes points. Those like the KDD Cup's are made by the host, and
// are there for other programs; the larger clouds are made by the device.
func newCloud(s *session, n, dim, k int) (p cloud, points *matrix.Matrix[float32], err error) {
	p = cloud{n: n, dim: dim, k: k}
	if dim == kdd.Dim {
		p.rows = kdd.Points(n)
		points = matrix.From(n, dim, p.rows, s.where())
		return p, points, points.Wait()
	}
	x, err := coordinates.fill(s, n*dim, 0)
	if err != nil {
		return p, nil, err
	}
	return p, matrix.Of(x, n, dim), nil
}

// cloudRivals adds the other programs that there are for the cloud.
func (s *session) cloudRivals(b *bout, p cloud) error {
	add := func(l lloyd, err error) error {
		if l.close != nil {
			b.close = append(b.close, l.close)
		}
		if err == nil {
			b.rivals = append(b.rivals, rival{l.name, l.sample})
		}
		return err
	}
	if s.torch != nil {
		b.rivals = append(b.rivals, rival{"torch", s.torch.sampler(fmt.Sprintf("lloyd %d %d %d", p.n, p.dim, p.k))})
	}
	if p.rows == nil {
		return nil
	}
	var number int
	twin := s.device
	if s.opencl != nil {
		twin = s.opencl
	}
	if _, err := fmt.Sscanf(twin.ID(), "opencl:%d", &number); err == nil {
		if err := add(openPaper(p, number)); err != nil {
			return err
		}
		if err := add(openOnDevice(p, number)); err != nil {
			return err
		}
	}
	if s.python != "" {
		return add(openScikit(s.ctx, p, s.python))
	}
	return nil
}

// checkCloud compares one iteration on a small cloud of the same shape with
// the same in float64 on the host.
func checkCloud(s *session, dim, k, n int) error {
	_, points, err := newCloud(s, n, dim, k)
	if err != nil {
		return err
	}
	defer points.Free()
	host, err := points.Vector().Host()
	if err != nil {
		return err
	}
	r, err := kmeans.Cluster(context.Background(), points, kmeans.Options{K: k, Init: kmeans.First, MaxIter: 1})
	if err != nil {
		return err
	}
	defer r.Free()
	got, err := r.Centers.Vector().Host()
	if err != nil {
		return err
	}
	want := firstCentres(host, n, dim, k)
	for v := range want {
		if d := math.Abs(float64(got[v]) - want[v]); !(d <= 1e-3*(1+math.Abs(want[v]))) {
			return fmt.Errorf("centre %d, coordinate %d is %v, not %v", v/dim, v%dim, got[v], want[v])
		}
	}
	return nil
}

// firstCentres are the centres after one iteration from the first k points.
func firstCentres(points []float32, n, dim, k int) []float64 {
	labels := make([]int, n)
	concurrently(n, func(i int) {
		least := math.Inf(1)
		for c := range k {
			d := 0.0
			for j := range dim {
				diff := float64(points[i*dim+j]) - float64(points[c*dim+j])
				d += diff * diff
			}
			if d < least {
				least, labels[i] = d, c
			}
		}
	})
	centres, count := make([]float64, k*dim), make([]float64, k)
	for i, c := range labels {
		count[c]++
		for j := range dim {
			centres[c*dim+j] += float64(points[i*dim+j])
		}
	}
	for v := range centres {
		centres[v] /= max(1, count[v/dim])
	}
	return centres
}

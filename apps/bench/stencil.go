package bench

import (
	"fmt"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// fivePoint computes a step of heat diffusion from five points.
func fivePoint(w matrix.Window[float32]) float32 {
	u := w.At(0, 0)
	return u + 0.2*(w.At(-1, 0)+w.At(1, 0)+w.At(0, -1)+w.At(0, 1)-4*u)
}

// blur returns the mean of nine neighbours.
func blur(w vector.Window[float32]) float32 {
	var sum float32
	for d := -4; d <= 4; d++ {
		sum += w.At(d)
	}
	return sum / 9
}

var (
	fivePoints = skel.NewMapOverlapMatrix(fivePoint, 1, 1)
	blurs      = skel.NewMapOverlap(blur, 4).Padding(vector.Wrap)
)

// stencils returns the rows of MapOverlap.
func stencils(s *benchmark.Suite) []*benchmark.Row {
	side, n := 1, s.Size(1<<28) // 16384 x 16384
	for 4*side*side <= n {
		side *= 2
	}
	rows := n / side
	plate := &benchmark.Row{
		Name:  fmt.Sprintf("MapOverlap/type=float32/radius=1/rows=%d/cols=%d", rows, side),
		Bytes: 8 * int64(rows) * int64(side), Ops: 7 * float64(rows) * float64(side),
		Memory: 8 * int64(rows) * int64(side),
	}
	plate.Goals = goals(s, 0.9, "copy", plate.Name, n)
	plate.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		in := float32s.random
		x, err := in.Fill(s, rows*side, 0)
		if err != nil {
			return nil, err
		}
		m := matrix.Of(x, rows, side)
		out := fivePoints.Apply(m)
		at := func(i, j int) float32 {
			return in.At(min(max(i, 0), rows-1)*side+min(max(j, 0), side-1), 0)
		}
		b := &benchmark.Case{
			Free: benchmark.Containers(x, out),
			Call: func() error { return fivePoints.ApplyTo(out, m) },
			Check: func() error {
				return benchmark.CompareElements(out.Vector(), func(k int) float32 {
					i, j := k/side, k%side
					u := at(i, j)
					return u + float32(0.2*(at(i-1, j)+at(i+1, j)+at(i, j-1)+at(i, j+1)-float32(4*u)))
				})
			},
		}
		return b, out.Wait()
	}
	line := &benchmark.Row{
		Name:  fmt.Sprintf("MapOverlap/type=float32/radius=4/n=%d", n),
		Bytes: 8 * int64(n), Ops: 9 * float64(n), Memory: 8 * int64(n),
	}
	line.Goals = goals(s, 0.9, "copy", line.Name, n)
	line.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		in := float32s.random
		x, err := in.Fill(s, n, 0)
		if err != nil {
			return nil, err
		}
		out := blurs.Apply(x)
		b := &benchmark.Case{
			Free: benchmark.Containers(x, out),
			Call: func() error { return blurs.ApplyTo(out, x) },
			Check: func() error {
				return benchmark.CompareElements(out, func(i int) float32 {
					var sum float32
					for d := -4; d <= 4; d++ {
						sum += in.At((i+d+n)%n, 0)
					}
					return sum / 9
				})
			},
		}
		return b, out.Wait()
	}
	return []*benchmark.Row{plate, line}
}

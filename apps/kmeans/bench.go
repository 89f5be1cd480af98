package kmeans

import (
	"bufio"
	"context"
	_ "embed" // the script
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skelgo/skelgo/apps/internal/benchmark"
	"github.com/skelgo/skelgo/apps/internal/data/output"
	"github.com/skelgo/skelgo/apps/kmeans/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The number and the dimension of the points of the KDD Cup 1999.
const (
	KDDPoints = 494_020
	KDDDim    = 34
)

// KDD returns n points, one after the other, that are like those of the KDD Cup
// 1999 in dimension and shape: clusters of very unequal sizes, columns of very
// unequal scales. It returns the same points every time.
func KDD(n int) []float32 {
	const groups = 23 // the first ones are the largest
	r := rand.New(rand.NewPCG(1999, KDDDim))
	centers := make([]float32, groups*KDDDim)
	for v := range centers {
		centers[v] = r.Float32() * float32(1+v%KDDDim)
	}
	points := make([]float32, 0, n*KDDDim)
	for range n {
		c := int(groups * r.Float64() * r.Float64())
		for j := range KDDDim {
			points = append(points, centers[c*KDDDim+j]+float32(r.NormFloat64())*float32(1+j)*0.2)
		}
	}
	return points
}

// generatedDim is the dimension of the points that the device generates.
const generatedDim = 32

// coordinate returns coordinate i of points in 16 groups.
func coordinate(i, first int) float32 {
	group := int(benchmark.Random(i/generatedDim+first) >> 60)
	center := benchmark.Uniform[float32](group*generatedDim+i%generatedDim, benchmark.SecondInput)
	return 2*center + benchmark.Uniform[float32](i, first)
}

var coordinates = benchmark.NewSource(skel.NewMapWith(coordinate), coordinate)

// benchRows returns the rows of k-means.
func benchRows(s *benchmark.Suite) []*benchmark.Row {
	return append(wholeRows(s),
		iterationRow(s, KDDPoints, KDDDim, 5, 30),
		iterationRow(s, 10_000_000, generatedDim, 16, 20),
		iterationRow(s, 10_000_000, generatedDim, 256, 4),
	)
}

// iterationRow returns the row of an iteration. The ratio to the device copy shows how far
// an iteration is from only reading the points.
func iterationRow(s *benchmark.Suite, n, dim, k int, goal float64) *benchmark.Row {
	n = max(s.Size(n), 4*k)
	r := &benchmark.Row{
		Name:   fmt.Sprintf("KMeans/type=float32/n=%d/dim=%d/k=%d", n, dim, k),
		Bytes:  4 * int64(n) * int64(dim),
		Ops:    3 * float64(n) * float64(dim) * float64(k),
		Memory: 12 * int64(n) * int64(dim),
		Goals: slices.Concat(
			s.GPUGoals("torch", goal), s.GPUGoals("raw-paper", 1.5), s.GPUGoals("raw-device", 1.5)),
	}
	r.Open = func(s *benchmark.Suite) (*benchmark.Case, error) {
		p, points, err := newProblem(s, n, dim, k)
		if err != nil {
			return nil, err
		}
		c := &benchmark.Case{
			Free:   benchmark.Containers(points),
			Check:  func() error { return checkIteration(s, dim, k, min(n, 20_000)) },
			Sample: clusterProgram(points, k).sample,
		}
		return c, p.addYardsticks(s, c)
	}
	return r
}

// benchScaled returns an iteration on several devices.
func benchScaled(n int) []*benchmark.Scaled {
	const clusters = 16
	points := max(n/107, 4*clusters) // 10 million where n is 2^30
	open := func(on vector.Distribution, devs int) *matrix.Matrix[float32] {
		x := coordinates.OnDevice.With(0).Apply(vector.Indices(points*devs*generatedDim, on))
		return matrix.Of(benchmark.InRows(x, generatedDim), points*devs, generatedDim)
	}
	return []*benchmark.Scaled{{
		Name: fmt.Sprintf("k-means, %d x %d, k = %d", points, generatedDim, clusters),
		Weak: true, Goals: map[int]float64{2: 1.95, 4: 3.85, 8: 7.5},
		Sample: func(on vector.Distribution, devs int) (time.Duration, error) {
			x := open(on, devs)
			defer x.Free()
			return clusterProgram(x, clusters).sample()
		},
		Steps: func(on vector.Distribution, devs, steps int) error {
			x := open(on, devs)
			defer x.Free()
			r, err := Cluster(context.Background(), x, Options{K: clusters, Init: First, MaxIter: steps,
				Algorithm: Lloyd})
			if err != nil {
				return err
			}
			r.Free()
			if r.Iterations != steps {
				return fmt.Errorf("it converged after %d iterations, before %d", r.Iterations, steps)
			}
			return nil
		},
	}}
}

// problem is a set of points to cluster. The first k of them are the first
// centres.
type problem struct {
	n, dim, k int
	rows      []float32 // nil if only the device has the points
}

// newProblem makes the points: on the host if they are like those of the KDD Cup, so that
// other programs can use them, and otherwise on the device.
func newProblem(s *benchmark.Suite, n, dim, k int) (p problem, points *matrix.Matrix[float32], err error) {
	p = problem{n: n, dim: dim, k: k}
	if dim == KDDDim {
		p.rows = KDD(n)
		points = matrix.From(n, dim, p.rows, s.Distribution())
		return p, points, points.Wait()
	}
	x, err := coordinates.Fill(s, n*dim, 0)
	if err != nil {
		return p, nil, err
	}
	return p, matrix.Of(x, n, dim), nil
}

// addYardsticks adds the other programs that can cluster the points on this machine.
func (p problem) addYardsticks(s *benchmark.Suite, c *benchmark.Case) error {
	add := func(l program, err error) error {
		if l.close != nil {
			c.Close = append(c.Close, l.close)
		}
		if err == nil {
			c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: l.name, Sample: l.sample})
		}
		return err
	}
	if s.Torch != nil {
		sample := s.Torch.Sampler(fmt.Sprintf("lloyd %d %d %d", p.n, p.dim, p.k))
		c.Yardsticks = append(c.Yardsticks, benchmark.Yardstick{Name: "torch", Sample: sample})
	}
	if p.rows == nil {
		return nil
	}
	var number int
	device := s.Device
	if s.OpenCL != nil {
		device = s.OpenCL
	}
	if _, err := fmt.Sscanf(device.ID(), "opencl:%d", &number); err == nil {
		if err := add(paperProgram(p, number)); err != nil {
			return err
		}
		if err := add(deviceProgram(p, number)); err != nil {
			return err
		}
	}
	if s.Python != "" {
		return add(scikitProgram(s.Context, p, s.Python))
	}
	return nil
}

// checkIteration compares an iteration on n points of the same shape with one in float64
// on the host.
func checkIteration(s *benchmark.Suite, dim, k, n int) error {
	_, points, err := newProblem(s, n, dim, k)
	if err != nil {
		return err
	}
	defer points.Free()
	host, err := points.Vector().Host()
	if err != nil {
		return err
	}
	r, err := Cluster(context.Background(), points, Options{K: k, Init: First, MaxIter: 1})
	if err != nil {
		return err
	}
	defer r.Free()
	got, err := r.Centers.Vector().Host()
	if err != nil {
		return err
	}
	want := centersAfterOne(host, n, dim, k)
	for v := range want {
		if d := math.Abs(float64(got[v]) - want[v]); !(d <= 1e-3*(1+math.Abs(want[v]))) {
			return fmt.Errorf("centre %d, coordinate %d is %v, not %v", v/dim, v%dim, got[v], want[v])
		}
	}
	return nil
}

// centersAfterOne returns the centres after one iteration from the first k points.
func centersAfterOne(points []float32, n, dim, k int) []float64 {
	labels := make([]int, n)
	benchmark.Concurrently(n, func(i int) {
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
	centers, sizes := make([]float64, k*dim), make([]float64, k)
	for i, c := range labels {
		sizes[c]++
		for j := range dim {
			centers[c*dim+j] += float64(points[i*dim+j])
		}
	}
	for v := range centers {
		centers[v] /= max(1, sizes[v/dim])
	}
	return centers
}

// sampleIterations is the maximum number of iterations of a sample.
const sampleIterations = 10

// program is a program that clusters a problem's points.
type program struct {
	name  string
	run   func() (clustering, error)
	close func() error
}

// clustering is the result of one run of a program.
type clustering struct {
	perIteration time.Duration
	iterations   int
	sizes        []int
}

// sample returns the time of an iteration.
func (p program) sample() (time.Duration, error) {
	c, err := p.run()
	return c.perIteration, err
}

// clusterProgram returns Cluster as a program. It times the iterations after the first,
// because Cluster does not report when the first begins.
func clusterProgram(points *matrix.Matrix[float32], k int) program {
	run := func() (c clustering, err error) {
		var first, last time.Time
		r, err := Cluster(context.Background(), points, Options{
			K: k, Init: First, MaxIter: sampleIterations, Algorithm: Lloyd,
			Progress: func(_, iteration, _ int) {
				last = time.Now()
				if iteration == 1 {
					first = last
				}
			},
		})
		if err != nil {
			return c, err
		}
		defer r.Free()
		c = clustering{iterations: r.Iterations, sizes: r.Sizes}
		if n := r.Iterations; n > 1 {
			c.perIteration = last.Sub(first) / time.Duration(n-1)
		}
		return c, nil
	}
	return program{"skelgo", run, func() error { return nil }}
}

func paperProgram(p problem, device int) (program, error) {
	raw, err := baseline.OpenPaper(device)
	if err != nil {
		return program{}, err
	}
	l := program{name: "raw-paper", close: raw.Close}
	if err := raw.Build(); err != nil {
		return l, err
	}
	l.run = withoutFirst(func(maxIter int) (c clustering, err error) {
		var labels []int32
		labels, c.iterations, err = raw.Run(slices.Clone(p.rows[:p.k*p.dim]), maxIter)
		c.sizes = sizesOf(labels, p.k)
		return c, err
	})
	return l, raw.Upload(p.rows, p.n, p.dim, p.k)
}

func deviceProgram(p problem, device int) (program, error) {
	raw, err := baseline.OpenOnDevice(device)
	if err != nil {
		return program{}, err
	}
	l := program{name: "raw-device", close: raw.Close}
	if err := raw.Build(); err != nil {
		return l, err
	}
	run := withoutFirst(func(maxIter int) (c clustering, err error) {
		c.iterations, err = raw.Run(p.rows[:p.k*p.dim], maxIter)
		return c, err
	})
	l.run = func() (clustering, error) {
		c, err := run()
		if err != nil {
			return c, err
		}
		labels, _, err := raw.Download()
		c.sizes = sizesOf(labels, p.k)
		return c, err
	}
	return l, raw.Upload(p.rows, p.n, p.dim, p.k)
}

// withoutFirst times the iterations after the first: it subtracts the time of a run with
// one iteration from that of a run with all, so that the work before and after the
// iterations does not count. Of two runs with one iteration it takes the shorter: the first
// may also load code.
func withoutFirst(run func(maxIter int) (clustering, error)) func() (clustering, error) {
	return func() (clustering, error) {
		first := time.Duration(math.MaxInt64)
		for range 2 {
			start := time.Now()
			if _, err := run(1); err != nil {
				return clustering{}, err
			}
			first = min(first, time.Since(start))
		}
		start := time.Now()
		c, err := run(sampleIterations)
		c.perIteration = (time.Since(start) - first) / time.Duration(max(1, c.iterations-1))
		return c, err
	}
}

func sizesOf(labels []int32, k int) []int {
	s := make([]int, k)
	for _, l := range labels {
		s[l]++
	}
	return s
}

//go:embed lloyd.py
var lloydScript string

// scikitProgram starts lloyd.py.
func scikitProgram(ctx context.Context, p problem, python string) (program, error) {
	file, err := os.CreateTemp("", "points")
	if err != nil {
		return program{}, err
	}
	defer file.Close()
	output.Temporary(file.Name())
	if _, err := file.Write(devices.Bytes(p.rows)); err != nil {
		os.Remove(file.Name())
		return program{}, err
	}
	cmd := benchmark.Python(ctx, python, "-c", lloydScript, file.Name(),
		strconv.Itoa(p.n), strconv.Itoa(p.dim), strconv.Itoa(p.k), strconv.Itoa(sampleIterations))
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	for _, err := range []error{err1, err2, cmd.Start()} {
		if err != nil {
			os.Remove(file.Name())
			return program{}, fmt.Errorf("%s: %w", python, err)
		}
	}
	lines := bufio.NewScanner(out)
	return program{
		name: "scikit",
		run: func() (clustering, error) {
			if _, err := io.WriteString(in, "run\n"); err != nil {
				return clustering{}, err
			}
			if !lines.Scan() {
				return clustering{}, fmt.Errorf("%s ended; does it have scikit-learn? (Debian: python3-sklearn)",
					python)
			}
			return parseClustering(lines.Text())
		},
		close: func() error {
			defer os.Remove(file.Name())
			in.Close()
			return cmd.Wait()
		},
	}, nil
}

// parseClustering parses a line that lloyd.py prints.
func parseClustering(line string) (c clustering, err error) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return c, fmt.Errorf("lloyd.py printed %q", line)
	}
	seconds, err := strconv.ParseFloat(f[0], 64)
	if err != nil {
		return c, err
	}
	if c.iterations, err = strconv.Atoi(f[1]); err != nil {
		return c, err
	}
	c.perIteration = time.Duration(seconds / float64(max(1, c.iterations)) * 1e9)
	for _, s := range f[2:] {
		n, err := strconv.Atoi(s)
		if err != nil {
			return c, err
		}
		c.sizes = append(c.sizes, n)
	}
	return c, nil
}

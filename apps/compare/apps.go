package compare

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/dot"
	rawdot "github.com/skelgo/skelgo/apps/dot/baseline"
	"github.com/skelgo/skelgo/apps/mandelbrot"
	rawmandelbrot "github.com/skelgo/skelgo/apps/mandelbrot/baseline"
	"github.com/skelgo/skelgo/apps/matmul"
	rawmatmul "github.com/skelgo/skelgo/apps/matmul/baseline"
	"github.com/skelgo/skelgo/apps/saxpy"
	rawsaxpy "github.com/skelgo/skelgo/apps/saxpy/baseline"
	"github.com/skelgo/skelgo/apps/sobel"
	rawsobel "github.com/skelgo/skelgo/apps/sobel/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// application is something that is written with skelgo and on OpenCL.
type application struct {
	name string
	n    int // the usual size
	size func(n int) string

	bytes func(n float64) float64 // of its data, on the host and on the device

	// programs gives skelgo's, whose names begin so, and then the twins. agree
	// compares what the last program computed with what the first did.
	programs func(d *devices.Device, n int) (all []program, agree func() error)
}

var applications = []application{
	{"dot", 1 << 24, elements, func(n float64) float64 { return 16 * n }, dotPrograms},
	{"saxpy", 1 << 24, elements, func(n float64) float64 { return 24 * n }, saxpyPrograms},
	{"mandelbrot", 1024, func(n int) string { return fmt.Sprintf("%d x %d pixels", n, n) }, func(n float64) float64 { return 12 * n * n }, mandelbrotPrograms},
	{"sobel", 4096, func(n int) string { return fmt.Sprintf("%d x %d pixels", n, n) }, func(n float64) float64 { return 5 * n * n }, sobelPrograms},
	{"matmul", 1024, func(n int) string { return fmt.Sprintf("%d x %d float32", n, n) }, func(n float64) float64 { return 24 * n * n }, matmulPrograms},
	{"kmeans", 100_000, kmeansSize, func(n float64) float64 { return 8 * 34 * n }, kmeansPrograms},
	{"nw", 2048, nwSize, func(n float64) float64 { return 20 * n * n }, nwPrograms},
}

func elements(n int) string { return fmt.Sprintf("%d float32", n) }

// rawDevice is the number of the OpenCL device that twins run on.
func rawDevice(d *devices.Device) (n int, id string) {
	if _, err := fmt.Sscanf(d.ID(), "opencl:%d", &n); err != nil {
		n = 0
	}
	return n, fmt.Sprintf("opencl:%d", n)
}

// vectors gives the input of dot and saxpy.
func vectors(n int) (x, y []float32) {
	x, y = make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000)/1000-0.5, float32(i%777)/777-0.5
	}
	return x, y
}

// differ compares elements with those of the first program, which it keeps.
type differ[T comparable] struct{ first, last []T }

func (c *differ[T]) agree() error {
	if c.first == nil {
		c.first = c.last
	}
	for i, want := range c.first {
		if c.last[i] != want {
			return fmt.Errorf("element %d is %v, and skelgo's is %v", i, c.last[i], want)
		}
	}
	return nil
}

func dotPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	hostX, hostY := vectors(n)
	var first, result float32
	known := false

	var x, y *vector.Vector[float32]
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		upload: func() error {
			x, y = vector.From(hostX, vector.Single(d)), vector.From(hostY, vector.Single(d))
			return d.Sync()
		},
		run:   func() (err error) { result, err = dot.Product(x, y); return err },
		close: func() error { x.Free(); y.Free(); return nil },
	})
	number, id := rawDevice(d)
	for _, form := range []struct {
		twin string
		form rawdot.Form
	}{{"raw-tree", rawdot.Tree}, {"raw-chunk", rawdot.Chunk}} {
		var p *rawdot.Program
		all = append(all, program{
			twin: form.twin, device: id,
			open:   func() (err error) { p, err = rawdot.Open(number, form.form); return err },
			build:  func() error { return p.Build() },
			upload: func() error { return p.Upload(hostX, hostY) },
			run:    func() (err error) { result, err = p.Run(); return err },
			close:  func() error { return p.Close() },
		})
	}
	return all, func() error {
		if !known {
			first, known = result, true
		}
		if d := math.Abs(float64(result - first)); d > 1e-6*float64(n) {
			return fmt.Errorf("the product is %v, and skelgo's is %v", result, first)
		}
		return nil
	}
}

func saxpyPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	const a = 0.75
	hostX, hostY := vectors(n)
	var result differ[float32]

	var x, y *vector.Vector[float32]
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		upload: func() error {
			x, y = vector.From(hostX, vector.Single(d)), vector.From(hostY, vector.Single(d))
			return d.Sync()
		},
		run: func() error {
			if err := saxpy.Update(a, x, y); err != nil {
				return err
			}
			return d.Sync()
		},
		download: func() (err error) {
			host, err := y.Host()
			result.last = append([]float32(nil), host...)
			return err
		},
		close: func() error { x.Free(); y.Free(); return nil },
	})
	number, id := rawDevice(d)
	var p *rawsaxpy.Program
	return append(all, program{
		twin: "raw", device: id,
		open:     func() (err error) { p, err = rawsaxpy.Open(number); return err },
		build:    func() error { return p.Build() },
		upload:   func() error { return p.Upload(hostX, hostY) },
		run:      func() error { return p.Run(a) },
		download: func() (err error) { result.last, err = p.Download(); return err },
		close:    func() error { return p.Close() },
	}), result.agree
}

func mandelbrotPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	w := mandelbrot.Window{Left: -2.25, Top: 1.5, Step: 3 / float32(n), Limit: 256}
	var result differ[int32]

	var image *matrix.Matrix[int32]
	free := func() {
		if image != nil {
			image.Free()
		}
		image = nil
	}
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		run: func() error {
			free()
			image = mandelbrot.Image(n, n, w, vector.Single(d))
			return image.Wait()
		},
		download: func() error {
			host, err := image.Host()
			result.last = append([]int32(nil), host...)
			return err
		},
		close: func() error { free(); return nil },
	})
	number, id := rawDevice(d)
	var p *rawmandelbrot.Program
	return append(all, program{
		twin: "raw", device: id,
		open:     func() (err error) { p, err = rawmandelbrot.Open(number); return err },
		build:    func() error { return p.Build() },
		upload:   func() error { return p.Allocate(n, n) },
		run:      func() error { return p.Run(w.Left, w.Top, w.Step, w.Limit) },
		download: func() (err error) { result.last, err = p.Download(); return err },
		close:    func() error { return p.Close() },
	}), result.agree
}

func sobelPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	host := make([]uint8, n*n)
	for i := range host {
		host[i] = uint8(i*i/7 + i/n*31)
	}
	var result differ[uint8]

	var image, edges *matrix.Matrix[uint8]
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		upload: func() error {
			image = matrix.From(n, n, host, vector.Single(d))
			return d.Sync()
		},
		run: func() error {
			if edges != nil {
				edges.Free()
			}
			edges = sobel.Edges(image)
			return edges.Wait()
		},
		download: func() error {
			s, err := edges.Host()
			result.last = append([]uint8(nil), s...)
			return err
		},
		close: func() error { edges.Free(); edges = nil; image.Free(); return nil },
	})
	number, id := rawDevice(d)
	var p *rawsobel.Program
	return append(all, program{
		twin: "raw", device: id,
		open:     func() (err error) { p, err = rawsobel.Open(number); return err },
		build:    func() error { return p.Build() },
		upload:   func() error { return p.Upload(n, n, host) },
		run:      func() error { return p.Run() },
		download: func() (err error) { result.last, err = p.Download(); return err },
		close:    func() error { return p.Close() },
	}), result.agree
}

func matmulPrograms(d *devices.Device, n int) (all []program, agree func() error) {
	hostA, hostB := vectors(n * n)
	var result differ[float32]

	var a, b, c *matrix.Matrix[float32]
	free := func(all ...*matrix.Matrix[float32]) {
		for _, m := range all {
			if m != nil {
				m.Free()
			}
		}
	}
	all = append(all, program{
		twin: "skelgo", device: d.ID(),
		upload: func() error {
			a, b = matrix.From(n, n, hostA, vector.Single(d)), matrix.From(n, n, hostB, vector.Single(d))
			return d.Sync()
		},
		run: func() error {
			free(c)
			c = matmul.Product(a, b)
			return c.Wait()
		},
		download: func() error {
			host, err := c.Host()
			result.last = append([]float32(nil), host...)
			return err
		},
		close: func() error { free(a, b, c); return nil },
	})
	number, id := rawDevice(d)
	var p *rawmatmul.Program
	return append(all, program{
		twin: "raw", device: id,
		open:     func() (err error) { p, err = rawmatmul.Open(number); return err },
		build:    func() error { return p.Build() },
		upload:   func() error { return p.Upload(hostA, hostB, n, n, n) },
		run:      func() error { return p.Run() },
		download: func() (err error) { result.last, err = p.Download(); return err },
		close:    func() error { return p.Close() },
	}), result.agree
}

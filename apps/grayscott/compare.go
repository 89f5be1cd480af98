package grayscott

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/apps/grayscott/baseline"
	compare "github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// compared is the number of steps that skelgo compare measures.
const compared = 100

// show comparison

// comparison describes the versions that skelgo compare measures.
var comparison = &compare.Comparison{
	N:     1024,
	Size:  func(n int) string { return fmt.Sprintf("%d x %d cells, %d steps", n, n, compared) },
	Bytes: func(n float64) float64 { return 8 * 3 * n * n },
	Versions: []compare.Version{
		{Name: "skelgo", Host: []string{"grayscott.go"}, Generated: []string{"zkernels.go"}},
		{Name: "raw", Host: []string{"baseline/grayscott.go"}, Kernel: []string{"baseline/grayscott.cl"}},
	},
	Programs: programs,
}

// end

// programs returns skelgo's version and the hand-written one.
func programs(d *devices.Device, n int) (all []compare.Program, agree func() error) {
	host := Drops(n, 1)
	rates := Rates{Feed: 0.035, Kill: 0.065}
	var first, last []Cell

	var plate, after *matrix.Matrix[Cell]
	free := func() {
		if after != nil {
			after.Free()
		}
		after = nil
	}
	all = append(all, compare.Program{
		Version: "skelgo", Device: d.ID(),
		Upload: func() error {
			plate = matrix.From(n, n, host, vector.Single(d))
			return d.Sync()
		},
		Run: func() error {
			free()
			after = Steps(plate, rates, compared)
			return after.Wait()
		},
		Download: func() (err error) { last, err = after.Host(); return err },
		Close:    func() error { free(); plate.Free(); return nil },
	})
	number, id := compare.Device(d)
	var p *baseline.Program
	return append(all, compare.Program{
			Version: "raw", Device: id,
			Open:   func() (err error) { p, err = baseline.Open(number); return err },
			Build:  func() error { return p.Build() },
			Upload: func() error { return p.Upload(n, n, flat(host)) },
			Run:    func() error { return p.Run(rates.Feed, rates.Kill, compared) },
			Download: func() error {
				plate, err := p.Download()
				last = cells(plate)
				return err
			},
			Close: func() error { return p.Close() },
		}), func() error {
			if first == nil {
				first = last
			}
			for i, want := range first {
				// OpenCL compilers fuse multiplications and additions, so the last digits differ.
				if c := last[i]; math.Abs(float64(c.U-want.U)) > 1e-4 || math.Abs(float64(c.V-want.V)) > 1e-4 {
					return fmt.Errorf("cell %d is %v, and skelgo's is %v", i, c, want)
				}
			}
			return nil
		}
}

// flat returns the concentrations of cells in the layout of the hand-written version.
func flat(cells []Cell) []float32 {
	flat := make([]float32, 0, 2*len(cells))
	for _, c := range cells {
		flat = append(flat, c.U, c.V)
	}
	return flat
}

func cells(flat []float32) []Cell {
	cells := make([]Cell, len(flat)/2)
	for i := range cells {
		cells[i] = Cell{flat[2*i], flat[2*i+1]}
	}
	return cells
}

package sobel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/sobel"
	raw "github.com/skelgo/skelgo/apps/sobel/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// A bright square has edges.
func Example() {
	image := make([]uint8, 5*6)
	for i := 1; i < 4; i++ {
		for j := 2; j < 5; j++ {
			image[i*6+j] = 50
		}
	}
	edges := sobel.Edges(matrix.From(5, 6, image))
	for i := range 5 {
		row, err := edges.Row(i)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row)
	}
	// Output:
	// [0 71 158 200 158 71]
	// [0 158 212 200 212 158]
	// [0 200 200 0 200 200]
	// [0 158 212 200 212 158]
	// [0 71 158 200 158 71]
}

// tilted is an image with something everywhere.
func tilted(rows, cols int) []uint8 {
	image := make([]uint8, rows*cols)
	for i := range image {
		image[i] = uint8(i*i/7 + i/cols*31)
	}
	return image
}

// edges filters an image pixel by pixel.
func edges(rows, cols int, image []uint8) []uint8 {
	at := func(i, j int) int {
		return int(image[min(max(i, 0), rows-1)*cols+min(max(j, 0), cols-1)])
	}
	out := make([]uint8, len(image))
	for i := range rows {
		for j := range cols {
			x, y := 0, 0
			for d := -1; d <= 1; d++ {
				x += (2 - d*d) * (at(i+d, j+1) - at(i+d, j-1))
				y += (2 - d*d) * (at(i+1, j+d) - at(i-1, j+d))
			}
			out[i*cols+j] = uint8(min(math.Sqrt(float64(x*x+y*y))+0.5, 255))
		}
	}
	return out
}

var shapes = [][2]int{{1, 1}, {3, 70}, {61, 83}, {200, 256}}

func TestEdges(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, s := range shapes {
			image := tilted(s[0], s[1])
			got, err := sobel.Edges(matrix.From(s[0], s[1], slices.Clone(image), vector.Single(d))).Host()
			if err != nil || !slices.Equal(got, edges(s[0], s[1], image)) {
				t.Errorf("%v: the edges are not those of a plain loop; error %v", s, err)
			}
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	for _, s := range shapes {
		image := tilted(s[0], s[1])
		got, err := runRaw(s[0], s[1], image)
		if err != nil || !slices.Equal(got, edges(s[0], s[1], image)) {
			t.Errorf("%v: the edges are not those of a plain loop; error %v", s, err)
		}
	}
}

// runRaw runs the hand-written version from beginning to end.
func runRaw(rows, cols int, image []uint8) ([]uint8, error) {
	p, err := raw.Open(0)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		return nil, err
	}
	if err := p.Upload(rows, cols, image); err != nil {
		return nil, err
	}
	if err := p.Run(); err != nil {
		return nil, err
	}
	return p.Download()
}

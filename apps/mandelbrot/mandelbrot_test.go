package mandelbrot_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/mandelbrot"
	raw "github.com/skelgo/skelgo/apps/mandelbrot/baseline"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// The whole set, in letters.
func Example() {
	pixels, err := mandelbrot.Image(25, 34, mandelbrot.Window{Left: -2.2, Top: 1.2, Step: 0.1, Limit: 30}).Host()
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range slices.Chunk(pixels, 34) {
		var line []byte
		for _, n := range row {
			line = append(line, ".:-=+*#%@@"[n*9/30])
		}
		fmt.Printf("%s\n", line)
	}
	// Output:
	// ..................................
	// .................:::*:::..........
	// ................::::--@::.........
	// ..............::::::-%-:::........
	// .............::::::-@@*::::.......
	// ............::::---=@@=-::::......
	// ...........:::::=@%@@@@@=++:......
	// .........::::::-=@@@@@@@@@-:......
	// .......::------=@@@@@@@@@@-::.....
	// ....:::::-+=@=-%@@@@@@@@@@+::.....
	// ...::::::-*@@@+@@@@@@@@@@@@::.....
	// ...::::-=+@@@@@@@@@@@@@@@@-::.....
	// ..@@@@@@@@@@@@@@@@@@@@@@@=-::.....
	// ...::::-=+@@@@@@@@@@@@@@@@-::.....
	// ...::::::-*@@@+@@@@@@@@@@@@::.....
	// ....:::::-+=@=-%@@@@@@@@@@+::.....
	// .......::------=@@@@@@@@@@-::.....
	// .........::::::-=@@@@@@@@@-:......
	// ...........:::::=@%@@@@@=++:......
	// ............::::---=@@=-::::......
	// .............::::::-@@*::::.......
	// ..............::::::-%-:::........
	// ................::::--@::.........
	// .................:::*:::..........
	// ..................................
}

var (
	rows, cols = 61, 83
	window     = mandelbrot.Window{Left: -2, Top: 1.25, Step: 0.04, Limit: 200}
)

// escapes computes the image in complex arithmetic, with the same roundings.
func escapes() []int32 {
	image := make([]int32, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			cr, ci := window.Left+float32(float32(j)*window.Step), window.Top-float32(float32(i)*window.Step)
			var x, y float32
			n := int32(0)
			for ; n < window.Limit && float32(x*x)+float32(y*y) <= 4; n++ {
				x, y = float32(x*x)-float32(y*y)+cr, float32(2*x*y)+ci
			}
			image = append(image, n)
		}
	}
	return image
}

func TestImage(t *testing.T) {
	want := escapes()
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		got, err := mandelbrot.Image(rows, cols, window, vector.Single(d)).Host()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("the image is not the one of a plain loop; error %v", err)
		}
	})
}

func TestBaseline(t *testing.T) {
	baseline.RequireOpenCL(t)
	got, err := runRaw()
	if err != nil || !slices.Equal(got, escapes()) {
		t.Errorf("the image is not the one of a plain loop; error %v", err)
	}
}

// runRaw runs the hand-written version from beginning to end.
func runRaw() ([]int32, error) {
	p, err := raw.Open(0)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		return nil, err
	}
	if err := p.Allocate(rows, cols); err != nil {
		return nil, err
	}
	if err := p.Run(window.Left, window.Top, window.Step, window.Limit); err != nil {
		return nil, err
	}
	return p.Download()
}

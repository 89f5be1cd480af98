package heat_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/apps/heat"
	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// spread computes steps in plain loops, with the same roundings.
func spread(rows, cols int, cells []float32, rate float32, steps int) []float32 {
	for range steps {
		next := slices.Clone(cells)
		at := func(i, j int) float32 {
			i, j = min(max(i, 0), rows-1), min(max(j, 0), cols-1)
			return float32(math.Abs(float64(cells[i*cols+j])))
		}
		for i := range rows {
			for j := range cols {
				if u := cells[i*cols+j]; !math.Signbit(float64(u)) {
					around := at(i-1, j) + at(i+1, j) + at(i, j-1) + at(i, j+1)
					next[i*cols+j] = u + float32(rate*(around-float32(4*u)))
				}
			}
		}
		cells = next
	}
	return cells
}

func TestDiffuse(t *testing.T) {
	const rows, cols = 50, 70
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, steps := range []int{0, 1, 2, 25} {
			plate := matrix.From(rows, cols, heat.Plate(rows, cols), vector.Single(d))
			got, err := heat.Diffuse(plate, 0.2, steps, 0).Host()
			if want := spread(rows, cols, heat.Plate(rows, cols), 0.2, steps); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d steps: the plate is not that of plain loops; error %v", steps, err)
			}
		}
	})
}

// TestPlate checks that temperatures stay between those of the coldest and the hottest
// source, and that fixed cells keep theirs.
func TestPlate(t *testing.T) {
	plate := heat.Plate(40, 40)
	after := spread(40, 40, plate, 0.25, 400)
	held, warm := 0, 0
	for i, x := range after {
		switch u := heat.Temperature(x); {
		case math.Signbit(float64(plate[i])):
			held++
			if x != plate[i] {
				t.Errorf("cell %d was held at %v and is %v", i, plate[i], x)
			}
		case u > 0.01 && u < 1:
			warm++
		case u < 0 || u >= 1:
			t.Errorf("cell %d is at %v", i, u)
		}
	}
	if held < 50 || warm < 1000 {
		t.Errorf("%d cells are held and %d warm", held, warm)
	}
}

func run(t *testing.T, c heat.Command) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := c.Run(t.Context(), &app.Env{Stdout: &out, Stderr: &out})
	return out.String(), err
}

func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heat.png")
	out, err := run(t, heat.Command{Size: "30x44", Steps: 1100, Rate: 0.2, Output: file,
		Flags: app.Flags{Device: "cpu"}})
	if err != nil || !strings.HasPrefix(out, "30 x 44 cells, 1100 steps on cpu: ") ||
		!strings.HasSuffix(out, " GB/s\n") {
		t.Errorf("printed %q, error %v", out, err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil || picture.Bounds().Dx() != 44 || picture.Bounds().Dy() != 30 {
		t.Fatalf("the picture is %v, error %v", picture, err)
	}
	light := func(x, y int) uint32 {
		r, g, b, _ := picture.At(x, y).RGBA()
		return r + g + b
	}
	if hot, cold := light(13, 10), light(13, 24); hot < 2*cold+1000 { // the disc, and the cold bar
		t.Errorf("the hot disc has %d of light and the cold bar %d", hot, cold)
	}
	var report map[string]any
	if out, err = run(t, heat.Command{Size: "8", Steps: 0, Flags: app.Flags{JSON: true, Device: "cpu"}}); err != nil ||
		json.Unmarshal([]byte(out), &report) != nil || report["rows"] != 8.0 {
		t.Errorf("printed %q, error %v", out, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, c := range []struct {
		command heat.Command
		want    string
	}{
		{heat.Command{Size: "8x"},
			"--size 8x: it must be ROWSxCOLS, such as 768x1024, or one number for a square, from 1 to 1048576"},
		{heat.Command{Size: "0"},
			"--size 0: it must be ROWSxCOLS, such as 768x1024, or one number for a square, from 1 to 1048576"},
		{heat.Command{Size: "8", Steps: -1}, "--steps -1: it cannot be negative"},
		{heat.Command{Size: "8", Rate: 0.3}, "--rate 0.3: it must be from 0 to 0.25"},
		{heat.Command{Size: "8", Rate: math.NaN()}, "--rate NaN: it must be from 0 to 0.25"},
		{heat.Command{Size: "8", Every: -1}, "--every -1: it cannot be negative"},
		{heat.Command{Size: "8", Output: "x.gif"}, "-o x.gif: the name must end in .png"},
	} {
		if _, err := run(t, c.command); err == nil || err.Error() != c.want || app.ExitCode(err) != app.ExitInput {
			t.Errorf("%+v: %v, want %s", c.command, err, c.want)
		}
	}
}

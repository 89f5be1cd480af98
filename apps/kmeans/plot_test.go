package kmeans

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/plot"
)

// irisPicture is the iris data as the golden clusters it.
func irisPicture(t *testing.T) *plot.Groups {
	t.Helper()
	points := rows(golden{file: "iris.csv"}.load(t))
	r := reference(points, points[:3], nil, "keep", 501, 0)
	a, err := plot.PrincipalAxes(points)
	if err != nil {
		t.Fatal(err)
	}
	return &plot.Groups{Title: "iris: 150 objects in 3 clusters", Points: points, Labels: r.labels, Centers: r.centers,
		Sizes: r.sizes, Axes: a}
}

func save(p *plot.Groups, name string) error {
	return plot.Save(nil, name, plot.GroupsWidth, plot.GroupsHeight, p.Draw)
}

func TestPrincipalAxes(t *testing.T) {
	a := irisPicture(t).Axes
	// R: prcomp(iris[1:4])
	want := [2][]float64{{0.36138659, -0.08452251, 0.85667061, 0.35828920},
		{0.65658877, 0.73016143, -0.17337266, -0.07548102}}
	for d := range want {
		for j, w := range want[d] {
			if math.Abs(a.Rows[d][j]-w) > 1e-7 {
				t.Errorf("axis %d is %v, want %v", d, a.Rows[d], want[d])
				break
			}
		}
	}
	if want := "First principal axis (92.5% of the variance)"; a.Names[0] != want {
		t.Errorf("name %q, want %q", a.Names[0], want)
	}
}

func TestPlot(t *testing.T) {
	p := irisPicture(t)
	dir := t.TempDir()
	for _, ext := range []string{".png", ".svg"} {
		name := filepath.Join(dir, "iris"+ext)
		if err := save(p, name); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if ext == ".svg" {
			if !bytes.Contains(b, []byte("<svg")) || !bytes.Contains(b, []byte("First principal axis")) {
				t.Error("this is no svg with a title")
			}
			continue
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[any]bool{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				seen[img.At(x, y)] = true
			}
		}
		for l := range p.Centers {
			r, g, b, _ := plot.Shade(l, 255).RGBA()
			found := false
			for c := range seen {
				cr, cg, cb, _ := c.(interface{ RGBA() (r, g, b, a uint32) }).RGBA()
				found = found || cr == r && cg == g && cb == b
			}
			if !found {
				t.Errorf("the colour of cluster %d is not in the picture", l)
			}
		}
	}
}

func TestPlotOddCases(t *testing.T) {
	p := irisPicture(t)
	p.Centers[1] = []float64{math.NaN(), 0, 0, 0} // a dropped cluster
	p.Points[0] = []float64{math.Inf(1), 0, 0, 0}
	if err := save(p, filepath.Join(t.TempDir(), "odd.png")); err != nil {
		t.Error(err)
	}
	one := [][]float64{{1, 2}, {1, 2}}
	a, err := plot.PrincipalAxes(one)
	if err != nil {
		t.Fatal(err)
	}
	flat := &plot.Groups{
		Title: "one place", Points: one, Labels: []int32{0, 0}, Centers: one[:1], Sizes: []int{2}, Axes: a,
	}
	if err := save(flat, filepath.Join(t.TempDir(), "flat.svg")); err != nil {
		t.Error(err)
	}
	if a, err = plot.ChooseAxes(nil, [][]float64{{1}, {9}}, []string{"height"}, 1, "cluster"); err != nil ||
		a.Names != [2]string{"height", "cluster"} {
		t.Fatal(a, err)
	}
	column := &plot.Groups{Title: "one column", Points: [][]float64{{1}, {9}}, Labels: []int32{0, 1},
		Centers: [][]float64{{1}, {9}}, Sizes: []int{1, 1}, Axes: a}
	if err := save(column, filepath.Join(t.TempDir(), "column.svg")); err != nil {
		t.Error(err)
	}
}

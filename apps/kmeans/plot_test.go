package kmeans

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// irisPicture is the iris data as the golden clusters it.
func irisPicture(t *testing.T) *picture {
	t.Helper()
	points := rows(golden{file: "iris.csv"}.load(t))
	r := reference(points, points[:3], nil, "keep", 501, 0)
	a, err := principalAxes(points)
	if err != nil {
		t.Fatal(err)
	}
	return &picture{title: "iris: 150 objects in 3 clusters", points: points, labels: r.labels, centers: r.centers,
		sizes: r.sizes, axes: a}
}

func TestPrincipalAxes(t *testing.T) {
	a := irisPicture(t).axes
	// R: prcomp(iris[1:4])
	want := [2][]float64{{0.36138659, -0.08452251, 0.85667061, 0.35828920},
		{0.65658877, 0.73016143, -0.17337266, -0.07548102}}
	for d := range want {
		for j, w := range want[d] {
			if math.Abs(a.rows[d][j]-w) > 1e-7 {
				t.Errorf("axis %d is %v, want %v", d, a.rows[d], want[d])
				break
			}
		}
	}
	if want := "First principal axis (92.5% of the variance)"; a.names[0] != want {
		t.Errorf("name %q, want %q", a.names[0], want)
	}
}

func TestPlot(t *testing.T) {
	p := irisPicture(t)
	dir := t.TempDir()
	for _, ext := range []string{".png", ".svg"} {
		name := filepath.Join(dir, "iris"+ext)
		if err := p.write(nil, name); err != nil {
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
		for l := range p.centers {
			r, g, b, _ := shade(l, 255).RGBA()
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
	p.centers[1] = []float64{math.NaN(), 0, 0, 0} // a dropped cluster
	p.points[0] = []float64{math.Inf(1), 0, 0, 0}
	if err := p.write(nil, filepath.Join(t.TempDir(), "odd.png")); err != nil {
		t.Error(err)
	}
	one := [][]float64{{1, 2}, {1, 2}}
	a, err := principalAxes(one)
	if err != nil {
		t.Fatal(err)
	}
	flat := &picture{title: "one place", points: one, labels: []int32{0, 0}, centers: one[:1], sizes: []int{2}, axes: a}
	if err := flat.write(nil, filepath.Join(t.TempDir(), "flat.svg")); err != nil {
		t.Error(err)
	}
	j := &job{options: &options{}}
	if a, err = j.axes([][]float64{{1}, {9}}, []string{"height"}, 1); err != nil ||
		a.names != [2]string{"height", "cluster"} {
		t.Fatal(a, err)
	}
	column := &picture{title: "one column", points: [][]float64{{1}, {9}}, labels: []int32{0, 1},
		centers: [][]float64{{1}, {9}}, sizes: []int{1, 1}, axes: a}
	if err := column.write(nil, filepath.Join(t.TempDir(), "column.svg")); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		high float64
		want int
	}{{0, 1}, {0.2, 1}, {3.3, 4}, {10.3, 6}, {100, 10}} {
		if got := strips(-0.3*min(c.high, 1), c.high); len(got) != c.want || got[0].Label != "0" {
			t.Errorf("ticks up to %v: %v", c.high, got)
		}
	}
}

func TestSample(t *testing.T) {
	for _, c := range []struct{ n, limit, want int }{{0, 5, 0}, {3, 5, 3}, {5, 5, 5}, {100000, 100, 100}} {
		got := sample(c.n, c.limit)
		if len(got) != c.want {
			t.Errorf("sample(%d, %d) has %d", c.n, c.limit, len(got))
		}
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] || got[i] >= c.n {
				t.Fatalf("sample(%d, %d) = %v", c.n, c.limit, got)
			}
		}
	}
}

package nw

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sbinet/npyio/npy"
)

func TestNPY(t *testing.T) {
	for cols := range 40 { // heads of several lengths
		g := &grid{rows: 3, cols: cols + 1}
		for k := range 3 * (cols + 1) {
			g.scores = append(g.scores, int32(k*k-100))
		}
		var file bytes.Buffer
		if err := g.npy(&file); err != nil {
			t.Fatal(err)
		}
		r, err := npy.NewReader(&file)
		if err != nil {
			t.Fatal(err)
		}
		var scores []int32
		if err := r.Read(&scores); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(scores, g.scores) || !slices.Equal(r.Header.Descr.Shape, []int{3, cols + 1}) || r.Header.Descr.Fortran {
			t.Fatalf("%+v: %v, want %v", r.Header, scores, g.scores)
		}
	}
}

package dense_test

import (
	"errors"
	"go/build"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/matrix/dense"
	"github.com/skelgo/skelgo/vector"
)

// To gonum and back is the same matrix, whatever kind of matrix it was.
func TestRoundTrip(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		on := vector.Single(d)
		rapid.Check(t, func(t *rapid.T) {
			rows, cols := rapid.IntRange(1, 20).Draw(t, "rows"), rapid.IntRange(1, 20).Draw(t, "cols")
			whole := mat.NewDense(rows, cols, rapid.SliceOfN(rapid.Float64(), rows*cols, rows*cols).Draw(t, "elements"))
			toRow, toCol := rapid.IntRange(1, rows).Draw(t, "to row"), rapid.IntRange(1, cols).Draw(t, "to column")
			part := whole.Slice(0, toRow, 0, toCol)
			for _, a := range []mat.Matrix{whole, whole.T(), part, part.T()} {
				m := dense.From(a, on)
				back, err := dense.To(m)
				if err != nil || !mat.Equal(a, back) {
					t.Fatalf("%v became %v, %v", mat.Formatted(a), back, err)
				}
				back.Set(0, 0, back.At(0, 0)+1) // it owns its elements
				if x, err := m.At(0, 0); err != nil || x != a.At(0, 0) {
					t.Fatalf("element (0, 0) is %v, %v, want %v", x, err, a.At(0, 0))
				}
				m.Free()
			}
		})
		if a, err := dense.To(matrix.New[float64](0, 0, on)); err != nil || !a.IsEmpty() {
			t.Errorf("an empty matrix became %v, %v", a, err)
		}
		if a, err := dense.To(matrix.New[float64](0, 5, on)); err != nil || !a.IsEmpty() {
			t.Errorf("a matrix of no rows became %v, %v", a, err)
		}
	})
}

func TestError(t *testing.T) {
	m := matrix.Of((*vector.Vector[float64])(array.Failed[float64](4, drivertest.ErrInjected)), 2, 2)
	if _, err := dense.To(m); !errors.Is(err, drivertest.ErrInjected) {
		t.Errorf("To: %v", err)
	}
}

// Only programs that import package dense link gonum.
func TestMatrixDoesNotImportGonum(t *testing.T) {
	seen := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		p, err := build.ImportDir("../../"+dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range p.Imports {
			if strings.HasPrefix(path, "gonum.org/") {
				t.Errorf("package %s imports %s", dir, path)
			}
			if inner, own := strings.CutPrefix(path, "github.com/skelgo/skelgo/"); own {
				visit(inner)
			}
		}
	}
	visit("matrix")
	visit("skel")
	if !seen["internal/array"] {
		t.Errorf("only these were looked at: %v", seen)
	}
}

package skel

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
)

//skel:func
func fusedSum(sum, a, b float32) float32 { return math32.FMA(b, a, sum) }

type summedRows struct{ M matrix.View[float32] }

//skel:func
func sumOfRow(i int, r summedRows) float32 {
	s := float32(0)
	for j := range r.M.Cols() {
		s += r.M.At(i, j)
	}
	return s
}

// TestPassesInKernels checks that kernels use what the passes find out: results do not show it.
func TestPassesInKernels(t *testing.T) {
	fold, err := registry.Of(fusedSum)
	if err != nil {
		t.Fatal(err)
	}
	if !productOf(fold).multiplyAdd("f32") {
		t.Errorf("not a multiply-add:\n%s", fold.Program)
	}
	sum, err := registry.Of(sumOfRow)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf[summedRows]()
	if useful := usefulExtents(sum, p); useful[0] || !useful[1] {
		t.Errorf("useful extents are %v, want only the columns", useful)
	}
	for cols, want := range map[int]bool{8: true, 900: false, noConstant: false} {
		x := &bound{fun: &function{reg: sum, plan: p}, plan: p, shape: &shape{extents: []int{noConstant, cols}}}
		text := &text{seen: map[string]declared{}}
		text.declare(sum, x)
		if got := strings.Contains(text.decls.String(), "UNROLL for ("); got != want {
			t.Errorf("with %d columns, a loop is unrolled: %t, want %t, in\n%s", cols, got, want, text.decls.String())
		}
	}
}

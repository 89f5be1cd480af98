package scale

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMissingGroup checks that medians stand for missing values also where features tell that they are missing.
// They are found for each training set.
func TestMissingGroup(t *testing.T) {
	table, err := readTable(t.Context(), "-", strings.NewReader("x,y,g\n70,1,a\n,2,a\n80,3,b\n,4,b\n100,,b\n"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.choose(choice{Group: "g", Missing: Indicate})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "y", "x missing", "y missing"}, d.Features); diff != "" {
		t.Error(diff)
	}
	want := []float64{
		70, 1, 0, 0,
		80, 2, 1, 0,
		80, 3, 0, 0,
		80, 4, 1, 0,
		100, 2.5, 0, 1,
	}
	if diff := cmp.Diff(want, d.X); diff != "" {
		t.Error(diff)
	}
	if m := d.medians([]int32{1, 1, 0, 0, 1}); m[0] != 85 || m[1] != 1.5 {
		t.Errorf("the medians of a training set are %v, not 85 and 1.5", m[:2])
	}
	row := filled([]float64{d.X[0], math.NaN()}, d.fills, d.indicators)
	if diff := cmp.Diff([]float64{70, 2.5, 0, 1}, row); diff != "" {
		t.Errorf("applied: %s", diff)
	}
}

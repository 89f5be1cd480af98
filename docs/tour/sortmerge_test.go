package tour

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

func TestSortMerge(t *testing.T) {
	events, err := sortEvents(vector.From([]event{{2, 0.5}, {1, 3}, {2, 0.1}, {1, 2}})).Host()
	if want := []event{{1, 2}, {1, 3}, {2, 0.1}, {2, 0.5}}; err != nil || !slices.Equal(events, want) {
		t.Errorf("the events are %v, %v; want %v", events, err, want)
	}
	columns, times := orderParts(matrix.From(2, 3, []float32{3, 1, 2, 5, 6, 4}),
		vector.From([]float64{3, 2, 0.5, 0.1}), vector.From([]int{0, 2, 4}))
	if got, err := columns.Host(); err != nil || !slices.Equal(got, []int{1, 2, 0, 2, 0, 1}) {
		t.Errorf("the columns are %v, %v", got, err)
	}
	if got, err := times.Host(); err != nil || !slices.Equal(got, []float64{2, 3, 0.1, 0.5}) {
		t.Errorf("the times are %v, %v", got, err)
	}
}

package data

import (
	"math"
	"slices"
	"testing"
)

func TestSkipNonFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	table := &Table[float64]{Rows: 4, Cols: 2, Data: []float64{nan, 1, 2, 3, 4, inf, 5, 6}}
	skipped := table.SkipNonFinite()
	if table.Rows != 2 || !slices.Equal(table.Data, []float64{2, 3, 5, 6}) || len(skipped) != 2 {
		t.Errorf("%+v, %v", table, skipped)
	}
	if all := Spread(table.Data, 2, skipped, -1); !slices.Equal(all, []float64{-1, -1, 2, 3, -1, -1, 5, 6}) {
		t.Error(all)
	}
	for _, n := range []int{1, 2} {
		blocks := func(yield func([]float64, error) bool) {
			for block := range slices.Chunk(table.Data, 2*n) {
				if !yield(block, nil) {
					return
				}
			}
		}
		var all []float64
		for block, err := range SpreadBlocks(blocks, 2, Skipped{0: true, 2: true, 4: true}, -1) {
			if all = append(all, block...); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(all, []float64{-1, -1, 2, 3, -1, -1, 5, 6, -1, -1}) {
			t.Errorf("blocks of %d: %v", n, all)
		}
	}
	if labels := Spread([]int32{7, 8}, 1, skipped, -1); !slices.Equal(labels, []int32{-1, 7, -1, 8}) {
		t.Error(labels)
	}
	if kept := Keep([]int{10, 11, 12, 13}, skipped); !slices.Equal(kept, []int{11, 13}) {
		t.Error(kept)
	}
	none := &Table[float32]{Rows: 1, Cols: 1, Data: []float32{1}}
	if s := none.SkipNonFinite(); len(s) != 0 || none.Rows != 1 {
		t.Errorf("%v, %+v", s, none)
	}
	every := &Table[float32]{Rows: 2, Cols: 1, Data: []float32{float32(nan), float32(nan)}}
	s := every.SkipNonFinite()
	if all := Spread(every.Data, 1, s, 9); every.Rows != 0 || !slices.Equal(all, []float32{9, 9}) {
		t.Errorf("%+v, %v", every, all)
	}
}

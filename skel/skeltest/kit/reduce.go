package kit

import (
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

type Visits struct {
	Count vector.OutView[int32]
	Cols  int
}

func Visit(i int, e Visits) { e.Count.Set(i, e.Count.At(i)+1) }

var VisitAll = skel.NewMapVoidWith(Visit)

// CutSizes lists lengths and numbers of segments. Some segments are empty, some
// have one element, some are longer than a tile.
var CutSizes = []struct{ N, Segments int }{
	{0, 0}, {0, 3}, {1, 1}, {100, 1}, {100, 40}, {2*TileSize + 5, 1}, {20_000, 3}, {20_000, 1000},
}

// Cuts divides [0, n) into segments; about a third of them are empty.
func Cuts(d *Dice, n, segments int) []int {
	offsets := make([]int, segments+1)
	for i := 1; i < segments; i++ {
		rest := n - offsets[i-1]
		step := 0
		if d.IntN(3) > 0 {
			step = min(rest, 1+d.IntN(1+2*n/segments))
		}
		offsets[i] = offsets[i-1] + step
	}
	offsets[segments] = n
	return offsets
}

// KeysFor returns n keys, some of them just outside [0, k).
func KeysFor(n, k int) []int32 {
	return Generate(n, func(d *Dice, _ int) int32 { return int32(d.IntN(k+2) - 1) })
}

// RaggedOffsets returns offsets into n elements that do not decrease.
func RaggedOffsets(n, run, tile int) map[string][]int {
	lengths := func(from int, of ...int) []int {
		offsets := []int{from}
		for _, l := range of {
			offsets = append(offsets, min(n, offsets[len(offsets)-1]+l))
		}
		return offsets
	}
	random := func(seed uint64, most int) []int {
		dice := Roll(seed)
		offsets := []int{dice.IntN(5)}
		for offsets[len(offsets)-1] < n-7 {
			offsets = append(offsets, offsets[len(offsets)-1]+dice.IntN(most)*dice.IntN(2))
		}
		offsets[len(offsets)-1] = n - 3
		return offsets
	}
	tiny := random(1, 3)
	skewed := append(append([]int{}, tiny[:len(tiny)/5]...), n)
	return map[string][]int{
		"all":              {0, n},
		"one too short":    {1, n - 1},
		"no segment":       {5},
		"empty":            {tile, tile, tile},
		"empty at the end": {n, n, n},
		"outside":          {-5, 3, tile + 9, n + 1, n + 1<<40},
		"all outside":      {-1 << 40, -7, -1},
		"everything":       {-1 << 62, 1 << 62},
		"runs":             lengths(0, 0, 1, run-1, run, run+1, 2*run, 31*run, 32*run, 32*run+1, 33*run, tile/4),
		"half tiles":       lengths(0, tile/2, tile/2-1, tile/2+1, tile/2, 0, tile+tile/2, 1, tile/2),
		"odd half tiles":   lengths(tile/2-1, tile/2, tile/2+1, tile+1, tile-1, tile/2),
		"tiles":            lengths(0, tile, tile-1, tile+1, tile, 2*tile),
		"odd tiles":        lengths(1, tile, tile+1, tile-1, 2*tile+1, 2*tile),
		"long between":     lengths(3, 7, 2*tile+1, 1, 0, 0, tile+1, 5, 2*tile),
		"tiny":             tiny,
		"small":            random(2, 4*run),
		"large":            random(3, 3*tile),
		"one is long":      skewed,
	}
}

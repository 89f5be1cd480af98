package skel

import "testing"

// TestPairTiles checks the tiles for many shapes and element sizes: they fit into local memory, their
// vectors divide the rows and tiles that they are read from, the groups cover the result, and all lanes
// have work where there is enough.
func TestPairTiles(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8, 12, 16, 24, 64, 600, 1 << 14} {
		for _, n := range []int{1, 3, 16, 100, 128, 4096} {
			for _, m := range []int{1, 7, 64, 129, 4096} {
				for _, d := range []int{1, 6, 8, 4096} {
					for _, byColumns := range []bool{false, true} {
						p := pairTile{
							units: 100, local: 48 << 10, rows: n, cols: m, depth: d, byColumns: byColumns,
							a: size, b: max(1, size/2), acc: size, out: 4,
						}
						p.choose()
						tileA, tileB := p.laneRows*p.perRows*p.deep, p.laneCols*p.perCols*p.deep
						length := d
						if byColumns {
							length = m
						}
						switch {
						case p.localBytes() > 48<<10:
							t.Errorf("%+v: %d bytes of local memory, want at most %d", p, p.localBytes(), 48<<10)
						case p.perRows%p.vecA != 0 || p.perCols%p.vecB != 0:
							t.Errorf("%+v: the vectors in local memory do not divide the elements of a lane", p)
						case d%p.readA != 0 || length%p.readB != 0 || p.deep%p.readA != 0:
							t.Errorf("%+v: the vectors that are read do not divide a row", p)
						case tileA%p.readA != 0 || tileB%p.readB != 0:
							t.Errorf("%+v: the vectors that are read do not divide the tile", p)
						case n == 4096 && m == 4096 && size <= 16 && p.laneRows*p.laneCols != 256:
							t.Errorf("%+v: %d lanes, want 256", p, p.laneRows*p.laneCols)
						case p.grid().Groups*int64(p.laneRows*p.perRows*p.laneCols*p.perCols) < int64(n*m):
							t.Errorf("%+v: %d groups do not cover the result", p, p.grid().Groups)
						}
					}
				}
			}
		}
	}
	p := pairTile{
		units: 132, local: 48 << 10, rows: 4096, cols: 4096, depth: 4096, byColumns: true,
		a: 4, b: 4, acc: 4, out: 4, plain: true,
	}
	if p.choose(); p.perRows != 8 || p.perCols != 8 || p.deep != 16 || p.buffers != 2 || p.readA != 4 || p.readB != 4 {
		t.Errorf("product of float32: %+v, want 8 x 8 elements a lane, 16 deep, in 2 buffers, read 4 at a time", p)
	}
}

// TestProductTiles checks the tiles of products of float64 for many shapes: they fit into local memory, and
// the groups cover the result.
func TestProductTiles(t *testing.T) {
	for _, n := range []int{1, 4, 8, 16, 100, 512, 4096} {
		for _, m := range []int{1, 9, 30, 64, 129, 4096} {
			for _, d := range []int{0, 1, 6, 16, 4096} {
				for _, seg := range []int{0, 1, 30, 64, 128, 129} {
					for _, split := range []bool{false, true} {
						p := pairTile{
							units: 100, local: 48 << 10, most: 227 << 10, rows: n, cols: m, depth: d, byColumns: split,
							split: split, seg: seg, a: 8, b: 8, acc: 8, out: 8, products: true, rawA: true, rawB: true,
						}
						p.choose()
						high, wide := p.laneRows*p.perRows, p.wide()
						switch {
						case p.warps != (n >= 4 && m > 8 && d > 0 && seg <= 128):
							t.Errorf("%+v: products are %v", p, p.warps)
						case !p.warps:
						case p.warpBytes() > 100<<10:
							t.Errorf("%+v: %d bytes of local memory, so that not two groups fit", p, p.warpBytes())
						case p.warpGroups() < 2 || p.rawA && p.rawB && p.warpGroups() < 3:
							t.Errorf("%+v: only %d groups have registers", p, p.warpGroups())
						case p.laneRows*p.laneCols != 128:
							t.Errorf("%+v: %d lanes, want 128", p, p.laneRows*p.laneCols)
						case ((n-1)/high+1)*((m-1)/wide+1) != p.tiles():
							t.Errorf("%+v: %d groups do not cover the result", p, p.tiles())
						case p.rawA && p.readA != 2 || p.rawB && p.readB != 2:
							t.Errorf("%+v: only chunks of 16 bytes can be copied", p)
						}
					}
				}
			}
		}
	}
}

// TestTilesWithoutWarps checks that inputs in memory are copied as they are by warps only: other kernels have
// no parameters for them.
func TestTilesWithoutWarps(t *testing.T) {
	for _, cpu := range []bool{false, true} {
		p := pairTile{
			cpu: cpu, units: 2, local: 48 << 10, most: 48 << 10, rows: 100, cols: 100, depth: 100,
			a: 8, b: 8, acc: 8, out: 8, rawA: true, rawB: true,
		}
		if p.choose(); p.warps || p.rawA || p.rawB {
			t.Errorf("cpu %v: %+v", cpu, p)
		}
	}
}

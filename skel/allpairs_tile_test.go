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

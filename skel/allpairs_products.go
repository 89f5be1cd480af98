package skel

import "fmt"

// The tiles of the kernel allpairs where warps multiply matrices (kernels/products.cl,
// docs/adr/0034).

// The matrices that the prelude's skel_product multiplies are 16 x 16 and 16 x 8.
const (
	productRows  = 16
	productCols  = 8
	productDepth = 16
	productPad   = 4 // elements between the rows of a matrix in local memory
)

// productStages is the number of tiles in local memory. With three, a compute unit of an H200
// has room for three groups.
const productStages = 3

// productShapes are the ways to divide a tile: warps down and across, and matrices of a warp
// down and across. All have four warps, and at most 32 results in a lane, so that three groups
// have registers on a compute unit; larger tiles load less, but most products were slower with
// them on an H200.
var productShapes = []struct{ down, across, rows, cols int }{
	{1, 4, 4, 2}, // 64 x 64
	{1, 4, 2, 4}, // 32 x 128
	{4, 1, 2, 4}, // 128 x 32
	{4, 1, 2, 2}, // 128 x 16
	{1, 4, 1, 2}, // 16 x 64
}

// chooseWarps sets the fields that describe the tile. It reports false if the result is so
// small, or its segments so long, that the tile would be mostly empty.
func (t *pairTile) chooseWarps() bool {
	if t.rows < productRows/4 || t.cols <= productCols || t.depth == 0 {
		return false
	}
	best := 0
	for _, s := range productShapes {
		c := *t
		c.warps, c.deep, c.stages = true, productDepth, productStages
		c.laneRows, c.laneCols, c.perRows, c.perCols = 8*s.down, 4*s.across, 2*s.rows, 2*s.cols
		if c.wide() == 0 || c.warpBytes() > t.most {
			continue
		}
		// The cost is the number of elements computed and, an eighth of it, of those loaded.
		down, across := (t.rows-1)/(c.laneRows*c.perRows)+1, (t.cols-1)/c.wide()+1
		high, wide := c.laneRows*c.perRows, c.laneCols*c.perCols
		cost := max(down*across*max(t.blocks, 1), t.units) * (high*wide + (high+wide)*8)
		if best == 0 || cost < best {
			best = cost
			*t = c
		}
	}
	if best > 0 {
		t.chooseReads()
		t.rawA, t.rawB = t.rawA && t.readA == 2, t.rawB && t.readB == 2
	}
	return best > 0
}

// warpBytes returns how much local memory the tiles take. It also sets vecA, the rows of a
// lane that are reduced at a time, and vecB.
func (t *pairTile) warpBytes() int {
	high, wide := t.laneRows*t.perRows, t.laneCols*t.perCols
	tile := func(n int, whole bool) int {
		if whole {
			return t.deep * (n + productPad) * 8
		}
		return n * (t.deep + productPad) * 8
	}
	bytes := t.stages * (tile(high, t.split) + tile(wide, t.byColumns))
	t.vecA, t.vecB = 1, 2
	if t.seg > 0 {
		slice := t.laneRows * (wide + productCols) * t.out
		for 2*t.vecA <= t.perRows && 2*t.vecA*slice <= bytes {
			t.vecA *= 2
		}
		bytes = max(bytes, t.vecA*slice)
	}
	return (bytes + 15) / 16 * 16
}

// warpGroups returns the number of groups that a compute unit should run at a time, for
// which it has registers.
func (t *pairTile) warpGroups() int {
	lanes := t.laneRows * t.laneCols
	registers := 2*t.perRows*t.perCols + 104 // for the results and everything else
	if !t.rawA {                             // the next tile goes through registers
		registers += 2 * t.laneRows * t.perRows * t.deep / lanes
	}
	if !t.rawB {
		registers += 2 * t.laneCols * t.perCols * t.deep / lanes
	}
	return max(1, (64<<10)/(registers*lanes))
}

// warpDefines returns the definitions with which the kernel is compiled.
func (t *pairTile) warpDefines() string {
	text := fmt.Sprintf("#define PRODUCTS\n#define WY %d\n#define WX %d\n#define MT %d\n#define NT %d\n",
		t.laneRows/8, t.laneCols/4, t.perRows/2, t.perCols/2) +
		fmt.Sprintf("#define WA %d\n#define STAGES %d\n#define GROUPS %d\n", t.vecA, t.stages, t.warpGroups())
	if t.rawA {
		text += "#define RAW_A_IN p0\n" // see text.param
	}
	if t.rawB {
		text += fmt.Sprintf("#define RAW_B_IN p%d\n", t.paramB)
	}
	return text
}

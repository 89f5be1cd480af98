package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

// pairTile describes how the kernel allpairs divides its work. The caller sets the
// first group of fields; choose sets the second.
type pairTile struct {
	cpu               bool
	units             int
	local             int // bytes of local memory whose size a kernel gives
	most              int // bytes of local memory whose size a launch gives
	rows, cols, depth int
	byColumns         bool
	split             bool // the columns of both matrices are combined, in blocks of the depth
	blocks            int  // number of such blocks
	seg               int  // unless 0: rows of the result are reduced, in segments of so many elements
	a, b, acc, out    int  // sizes of elements in bytes
	plain             bool // both inputs are in memory, and the function is a multiply-add
	products          bool // warps multiply matrices, and the function is a multiply-add of float64
	costly            bool // the function takes long: its loops are not unrolled

	laneRows, laneCols int  // lanes of a group
	perRows, perCols   int  // elements of the result that a lane computes
	deep               int  // depth of a tile
	vecA, vecB         int  // elements of a vector in local memory
	readA, readB       int  // elements that a lane reads from global memory at a time
	buffers            int  // tiles in local memory: 1, or 2 with the next one
	warps              bool // each warp computes a part of the tile, by multiplying matrices
	rawA, rawB         bool // inputs that are copied to local memory as they are
	paramB             int  // number of the parameter of input b
	stages             int  // tiles in local memory, if warps is set
	pad                int  // elements between the packed rows of b, on CPUs
}

// pairRegisters is the number of 4-byte registers in which a lane of a GPU keeps its
// part of the result and its operands for one k. With the loads in flight and the
// addresses a lane then uses 128 registers, so that two groups of 256 lanes share a
// compute unit.
const pairRegisters = 88

// cpuBlock limits the bytes that a work-item on a CPU reuses.
const cpuBlock = 128 << 10

// choose sets the fields that describe the tile.
func (t *pairTile) choose() {
	if !t.cpu && t.products && t.chooseWarps() {
		return
	}
	t.rawA, t.rawB = false, false
	if t.cpu {
		t.chooseCPU()
		return
	}
	words := func(size int) int { return (size + 3) / 4 }
	t.laneRows, t.laneCols, t.perRows, t.perCols, t.deep = 16, 16, 8, 8, 16
	for t.perRows > 1 && t.perRows*t.perCols*words(t.acc)+t.perRows*words(t.a)+t.perCols*words(t.b) > pairRegisters {
		if t.perCols == t.perRows {
			t.perCols /= 2
		} else {
			t.perRows /= 2
		}
	}
	if t.costly {
		t.perRows, t.perCols = min(t.perRows, 2), min(t.perCols, 2)
	}
	// If the result is small, use smaller tiles, so that all compute units have work.
	for t.perRows*t.perCols > 4 && t.tiles() < t.units {
		if narrower := t.laneCols * t.perCols / 2; t.perCols >= t.perRows && narrower >= t.seg {
			t.perCols /= 2
		} else if t.perRows > 1 {
			t.perRows /= 2
		} else {
			break
		}
	}
	for t.perRows > 1 && t.laneRows*t.perRows >= 2*t.rows {
		t.perRows /= 2
	}
	for t.perCols > 1 && t.laneCols*t.perCols >= 2*t.cols {
		t.perCols /= 2
	}
	// If local memory is too small, use tiles that are less deep, and then smaller ones.
	t.buffers = 2
	for t.localBytes() > t.local {
		switch {
		case t.buffers == 2 && t.deep <= 8:
			t.buffers = 1
		case t.deep > 4 || t.deep > 1 && t.laneRows == 1:
			t.deep /= 2
		case t.perRows > 1 || t.perCols > 1:
			t.perRows, t.perCols = max(t.perRows/2, 1), max(t.perCols/2, 1)
		case t.laneRows > 1:
			t.laneRows, t.laneCols = t.laneRows/2, t.laneCols/2
		default:
			t.local = t.localBytes() // a single pair of elements is too large: the device reports it
		}
	}
	if !t.plain && t.deep > 8 { // other functions need registers for intermediate values
		t.deep = 8
	}
	t.chooseReads()
}

// chooseReads sets readA and readB.
func (t *pairTile) chooseReads() {
	if t.split {
		t.readA = min(t.reads(t.a, t.rows, t.laneRows*t.perRows*t.deep), t.laneRows*t.perRows)
	} else {
		t.readA = t.reads(t.a, t.depth, t.laneRows*t.perRows*t.deep)
	}
	if t.byColumns {
		t.readB = min(t.reads(t.b, t.cols, t.laneCols*t.perCols*t.deep), t.laneCols*t.perCols)
		for t.wide()%t.readB != 0 { // tiles begin at multiples of their width
			t.readB /= 2
		}
	} else {
		t.readB = t.reads(t.b, t.depth, t.laneCols*t.perCols*t.deep)
	}
}

// tiles returns the number of tiles of the result, or of all blocks of a split one.
func (t *pairTile) tiles() int {
	return max(t.blocks, 1) * ((t.rows-1)/(t.laneRows*t.perRows) + 1) * ((t.cols-1)/max(t.wide(), 1) + 1)
}

// wide returns the number of columns of a tile that are used: complete segments. It is
// 0 if no segment fits into a tile.
func (t *pairTile) wide() int {
	if t.seg == 0 {
		return t.laneCols * t.perCols
	}
	return t.laneCols * t.perCols / t.seg * t.seg
}

// localBytes returns how much local memory the tiles take. It also sets vecA and
// vecB.
func (t *pairTile) localBytes() int {
	if t.warps {
		return t.warpBytes()
	}
	t.vecA, t.vecB = localVector(t.a, t.perRows), localVector(t.b, t.perCols)
	a := t.deep * (t.laneRows*t.perRows + t.vecA) * t.a
	b := t.deep * (t.laneCols*t.perCols + t.vecB) * t.b
	bytes := t.buffers * ((a+15)/16*16 + (b+15)/16*16)
	if t.seg > 0 {
		bytes = max(bytes, t.laneRows*t.vecA*(t.laneCols*t.perCols+t.vecB)*t.out+15)
	}
	return bytes
}

// localVector returns how many of n contiguous elements of a size a lane reads from
// local memory at a time.
func localVector(size, n int) int {
	v := 1
	for size&(size-1) == 0 && 2*v <= n && 2*v*size <= wholeVector {
		v *= 2
	}
	return v
}

// reads returns how many elements of a size a lane reads from global memory at a
// time, where rows have the given length and a tile has n elements. It divides
// length, so that no vector extends beyond its row.
func (t *pairTile) reads(size, length, n int) int {
	v := 1
	for size&(size-1) == 0 && 2*v*size <= wholeVector && 2*v <= t.deep &&
		length%(2*v) == 0 && n/(2*v) >= t.laneRows*t.laneCols {
		v *= 2
	}
	return v
}

// chunk returns the chunk of an accessor that reads n elements at a time. On CPUs
// accessors have no chunks.
func (t *pairTile) chunk(n int) int {
	if t.cpu {
		return 0
	}
	return n
}

// chooseCPU sets the fields that describe the block of a work-item on a CPU.
func (t *pairTile) chooseCPU() {
	t.perRows, t.perCols, t.deep = 32, 256, 64
	for t.perCols > 16 && t.perCols >= 2*t.cols {
		t.perCols /= 2
	}
	t.laneRows, t.laneCols = 1, 1
	for {
		t.pad = 0
		if t.b <= 16 && t.perCols*t.b >= 256 { // packed rows must not share a cache set
			t.pad = 64 / t.b
		}
		switch bytes := t.perRows*t.perCols*t.acc + t.deep*(t.perCols+t.pad)*t.b; {
		case bytes <= cpuBlock:
		case t.perCols > 8:
			t.perCols /= 2
			continue
		case t.deep > 1:
			t.deep /= 2
			continue
		case t.perRows > 1:
			t.perRows /= 2
			continue
		}
		break
	}
	if t.seg > 0 {
		t.perCols = t.perCols / t.seg * t.seg
	}
	for t.perRows > 8 && t.tiles() < 4*t.units {
		t.perRows /= 2
	}
}

// defines returns the definitions with which the kernel is compiled.
func (t *pairTile) defines() string {
	split := ""
	if t.split {
		split = "#define SPLIT\n"
	}
	if t.cpu {
		return split + fmt.Sprintf("#define BM %d\n#define BN %d\n#define BK %d\n#define PAD %d\n",
			t.perRows, t.perCols, t.deep, t.pad)
	}
	text := split + fmt.Sprintf(
		"#define LANES %d\n#define BM %d\n#define BN %d\n#define TM %d\n#define TN %d\n#define BK %d\n",
		t.laneRows*t.laneCols, t.laneRows*t.perRows, t.laneCols*t.perCols, t.perRows, t.perCols, t.deep)
	if t.cols%t.vecB == 0 {
		text += fmt.Sprintf("#define OUT_VECTOR %s\n", vectorType(vectorOf(t.vecB*t.out)))
	}
	if t.warps {
		return text + t.warpDefines()
	}
	each := "UNROLL"
	if t.costly {
		each = "ROLLED"
	}
	groups := 2
	if t.costly {
		groups = 1
	}
	text += fmt.Sprintf("#define LY %d\n#define LX %d\n", t.laneRows, t.laneCols) +
		fmt.Sprintf("#define WA %d\n#define WB %d\n", t.vecA, t.vecB) +
		fmt.Sprintf("#define GET_A %s\n#define GET_B %s\n#define BUFFERS %d\n#define GROUPS %d\n#define EACH_K %s\n",
			vectorType(vectorOf(t.vecA*t.a)), vectorType(vectorOf(t.vecB*t.b)), t.buffers, groups, each)
	if t.split {
		text += fmt.Sprintf("#define PUT_A %s\n", vectorType(vectorOf(min(t.readA, t.vecA)*t.a)))
	}
	if t.byColumns {
		text += fmt.Sprintf("#define PUT_B %s\n", vectorType(vectorOf(min(t.readB, t.vecB)*t.b)))
	}
	return text
}

// grid returns the launch grid on a GPU or a CPU: one group for each tile.
func (t *pairTile) grid() driver.Grid {
	if t.warps {
		return driver.Grid{Groups: int64(t.tiles()), Lanes: t.laneRows * t.laneCols, Local: t.warpBytes()}
	}
	return driver.Grid{Groups: int64(t.tiles()), Lanes: t.laneRows * t.laneCols}
}

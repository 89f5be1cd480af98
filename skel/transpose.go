package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// Transpose returns the matrix whose rows are the columns of m, computed at once. Functions
// that m is pending on are computed by the same kernel. The result is where m is: if the rows
// of m are spread over several devices, those of the result are too, and each device sends to
// the others what they hold of the result.
func Transpose[T any](m matrix.Source[T]) *matrix.Matrix[T] {
	rows, cols := m.Rows(), m.Cols()
	return matrix.Of(transposed(openMatrix(m), rows, cols), cols, rows)
}

// transposed returns the transpose of the rows x cols elements of x.
func transposed[T any](x *expr[T], rows, cols int) *vector.Vector[T] {
	x.settleProduced()
	if x.err == nil && x.device() == nil && x.place == nil {
		x = x.at(onePlace(array.Default(int64(x.n)*int64(driver.SizeOf[T]())), x.n, cols))
	}
	if x.err != nil {
		return failed[T](x.n, x.err)
	}
	switch {
	case x.place == nil:
		return output(&x.meta, x.n, func(out *vector.Vector[T], _ *devices.Buffer) error {
			return transpose(x, arrayOf(out), block{rows: rows, cols: cols, pitch: cols, outPitch: rows})
		})
	case x.place.Copies():
		parts := make([]*array.Array, len(x.parts))
		for k, part := range x.parts {
			parts[k] = arrayOf(transposed(part, rows, cols))
		}
		return joined[T](uncombined(x.place), parts)
	}
	if !wholeRows(x.place, cols) { // m is a vector that matrix.Of shaped
		if x = x.at(x.place.Dist.Place(rows, cols)); x.err != nil {
			return failed[T](x.n, x.err)
		}
	}
	return transposedOver(x, rows, cols)
}

// wholeRows reports whether all parts of p end where a row of the given length ends.
func wholeRows(p *array.Place, cols int) bool {
	for k := range p.Devs {
		if _, end := p.Bounds(k); cols > 0 && end%cols != 0 {
			return false
		}
	}
	return true
}

// block says which elements a kernel transposes: element (r, c) of rows x cols is element
// from + r*pitch + c of the input, and becomes element to + c*outPitch + r of the output.
type block struct {
	rows, cols   int
	from, pitch  int
	to, outPitch int
}

// transposedOver is transposed for an expression in blocks of rows on several devices.
// Each device transposes its rows. What another device holds of the result is sent there as
// one piece, and then copied to its place.
func transposedOver[T any](x *expr[T], rows, cols int) *vector.Vector[T] {
	from, to := x.place, x.place.Dist.Place(cols, rows)
	out := (*vector.Vector[T])(array.UninitializedAt[T](to))
	err := each(to, func(j int) error {
		part, err := arrayOf(out).Part(j)
		if err == nil {
			_, err = part.Output()
		}
		return err
	})
	for k := 0; k < len(from.Devs) && err == nil; k++ {
		lo, hi := from.Bounds(k)
		mine := block{rows: (hi - lo) / max(cols, 1), pitch: cols, outPitch: rows}
		err = each(to, func(j int) error {
			b := mine
			b.from = to.Rows[j]
			b.cols = to.Rows[j+1] - b.from
			part, err := arrayOf(out).Part(j)
			if err != nil || b.rows*b.cols == 0 {
				return err
			}
			b.to = lo / cols
			if from.Devs[k] == to.Devs[j] {
				return transpose(x.parts[k], part, b)
			}
			return transposeTo(x.parts[k], part, b)
		})
	}
	_ = arrayOf(out).Fail(err)
	return out
}

// transposeTo is transpose for an output on another device than x.
func transposeTo[T any](x *expr[T], out *array.Array, b block) error {
	piece := uninitialized[T](b.rows*b.cols, x.where)
	defer piece.Free()
	if _, err := arrayOf(piece).Output(); err != nil {
		return err
	}
	local := b
	local.to, local.outPitch = 0, b.rows
	if err := transpose(x, arrayOf(piece), local); err != nil {
		return err
	}
	sent, err := arrayOf(piece).At(array.PlaceOn(out.Device(), piece.Len()))
	if err != nil {
		return err
	}
	return paste(openArray[T](sent), out, b)
}

// transpose writes a block of x, transposed, to out, which is on the same device.
func transpose[T any](x *expr[T], out *array.Array, b block) error {
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	d := x.device()
	p := newProgram("transpose", "Transpose")
	defer p.release()
	if d.Native() {
		tilesDown, to := (b.rows-1)/nativeBlock+1, array.Elements[T](out)
		p.groups = nativeGroups(d, tilesDown, nativeBlock*b.cols)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(tilesDown))
			withScratch(func(s *scratch) {
				for t := int(lo); t < int(hi); t++ {
					b.band(func(r, c, height, width int) { transposeTile(s, x, to, b, r, c, height, width) },
						t*nativeBlock)
				}
			})
		}
		return p.launch(d, x, out)
	}
	chunk := transposeDevice(p, d, x, b)
	p.args = append(p.args, mem.Arg(), driver.Value(int64(b.rows)), driver.Value(int64(b.cols)),
		driver.Value(int64(b.from)), driver.Value(int64(b.pitch)),
		driver.Value(int64(b.to)), driver.Value(int64(b.outPitch)), driver.Value(int64(chunk)))
	return p.launch(d, x, out)
}

// nativeBlock is the number of rows of the tiles in which the CPU transposes, and
// nativeAcross the number of columns: a tile fits in the first-level cache.
const (
	nativeBlock  = 32
	nativeAcross = 64
)

// band calls f for the tiles that begin in row r.
func (b *block) band(f func(r, c, height, width int), r int) {
	height := min(nativeBlock, b.rows-r)
	for c := 0; c < b.cols; c += nativeAcross {
		f(r, c, height, min(nativeAcross, b.cols-c))
	}
}

// transposeTile transposes a tile on the CPU, through memory of its own: in large matrices, the
// elements of a column lie at the same place in the cache.
func transposeTile[T any](s *scratch, x *expr[T], out []T, b block, r0, c0, height, width int) {
	m := s.mark()
	defer s.release(m)
	tile := take[T](s, height*width)
	for r := range height {
		at := b.from + (r0+r)*b.pitch + c0
		row := tile[r*width : (r+1)*width]
		if x.kind == memory {
			copy(row, x.mem[at:at+width])
		} else {
			x.fill(s, row, at)
		}
	}
	for c := range width {
		at := b.to + (c0+c)*b.outPitch + r0
		for r, column := 0, out[at:at+height]; r < height; r++ {
			column[r] = tile[r*width+c]
		}
	}
}

// The tiles of a GPU. Elements that divide 16 bytes are moved as vectors if the shape allows:
// a group moves transposeSide x transposeSide vectors. Other elements are moved one by one.
// On an H200, a transpose of 16384 x 16384 float32 takes 1.03 times as long as a copy with
// vectors of 4, and 1.08 times one by one.
const (
	transposeSide  = 16
	transposeLocal = 32 << 10 // the most bytes of a tile
)

// transposeDevice completes p for a device. It returns the number of tiles of a work-item.
func transposeDevice[T any](p *program, d *devices.Device, x *expr[T], b block) (chunk int) {
	size := driver.SizeOf[T]()
	ctype, typed := x.node.typed(size)
	load := accessor{name: "load", ctype: ctype, node: x.node}
	side := 32
	for side > 1 && side*(side+1)*size > transposeLocal {
		side /= 2
	}
	p.defines = typed
	if d.Kind() == driver.CPU {
		tiles := ((b.rows-1)/side + 1) * ((b.cols-1)/side + 1)
		chunk = max(1, min(tiles/(d.Info().Units*8), grain/(side*side)))
		p.defines += fmt.Sprintf("#define S %d\n", side)
		p.grid = driver.Grid{Groups: int64((tiles-1)/chunk + 1), Lanes: 1}
	} else {
		v := b.vector(size)
		if x.node.heavy() {
			v = 1
		}
		p.defines += fmt.Sprintf("#define V %d\n", v)
		if v > 1 {
			side, load.chunk = v*transposeSide, v
			p.defines += fmt.Sprintf("#define L %d\n#define VECTOR %s\n", transposeSide, vectorType(v*size))
		}
		each := lanes
		if v == 1 && size <= 4 && 2*lanes <= d.Info().MaxGroup { // a larger tile, whose rows suit the memory
			side, each = 64, 2*lanes
		}
		p.defines += fmt.Sprintf("#define S %d\n#define LANES %d\n#define STEP %d\n", side, each, max(1, each/side))
		p.grid = driver.Grid{Groups: int64((b.rows-1)/side+1) * int64((b.cols-1)/side+1), Lanes: each}
	}
	p.accessors = append(p.accessors, load)
	return chunk
}

// vector returns how many elements of the given size a lane of a GPU moves at a time; 1 if the
// rows of the input or the output do not begin at multiples of that.
func (b *block) vector(size int) int {
	if wholeVector%size != 0 {
		return 1
	}
	v := min(wholeVector/size, mostTransposed)
	for v > 1 && (b.rows|b.cols|b.from|b.pitch|b.to|b.outPitch)%v != 0 {
		v /= 2
	}
	return v
}

// mostTransposed is the largest number of elements that a lane moves at a time. It transposes
// the square of that number in registers.
const mostTransposed = 8

// paste copies x, the transposed block, to its place in out.
func paste[T any](x *expr[T], out *array.Array, b block) error {
	if x.err != nil {
		return x.err
	}
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	d := x.device()
	p := newProgram("paste", "Transpose")
	defer p.release()
	if d.Native() {
		p.groups = nativeGroups(d, b.cols, b.rows)
		to := array.Elements[T](out)
		p.native = func(g driver.Group) {
			lo, hi := g.Range(int64(b.cols))
			for c := int(lo); c < int(hi); c++ {
				copy(to[b.to+c*b.outPitch:][:b.rows], x.mem[c*b.rows:])
			}
		}
		return p.launch(d, x, out)
	}
	ctype, typed := x.node.typed(driver.SizeOf[T]())
	p.defines = typed
	p.accessors = append(p.accessors, accessor{name: "load", ctype: ctype, node: x.node})
	var chunk int
	p.grid, chunk = elementGrid(d, x.n)
	p.args = append(p.args, mem.Arg(), driver.Value(int64(x.n)), driver.Value(int64(chunk)),
		driver.Value(int64(b.rows)), driver.Value(int64(b.to)), driver.Value(int64(b.outPitch)))
	return p.launch(d, x, out)
}

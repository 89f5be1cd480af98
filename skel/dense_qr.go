package skel

import (
	"fmt"
	"math"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// FactorR divides a matrix into blocks of the given number of rows, of which the last may
// have fewer, and returns the triangular factor R of the QR factorization of each block, one
// below the other. If a has p columns, each R is a p x p matrix, zero below its diagonal,
// whose diagonal is not negative. R'R is the product of the transposed block and the block.
// R of a block with fewer than p rows, or whose columns depend on each other, has zeros on
// its diagonal, but for rounding.
//
// R is computed by Householder's reflections of slabs of 128 rows, which kernels/factorr.cl
// describes; each sum over a slab is one of four sums over 32 rows, added in pairs. R is the
// factor of a matrix whose columns differ from those of the block by a few units in the last
// place of their lengths, however much the lengths of the columns differ.
//
// Functions that a is pending on are computed by the same kernel. FactorR panics if rows is
// not positive.
func FactorR[T Float](a matrix.Source[T], rows int) *matrix.Matrix[T] {
	if rows <= 0 {
		panic(fmt.Sprintf("skel: FactorR: blocks of %d rows: the number must be positive", rows))
	}
	rows = min(rows, max(a.Rows(), 1))
	count, p := (a.Rows()+rows-1)/rows, a.Cols()
	return matrix.Of(factorBlocks("FactorR", openMatrix(a), count, p, rows), count*p, p)
}

// TSQR returns the triangular factor R of the QR factorization of a tall matrix, as
// [FactorR] does for one block, but in parallel: it computes the factors of blocks, then of
// blocks of the stacked factors, and so on, until one is left. The blocks depend on the
// number of rows and columns alone. For n rows of p columns, TSQR takes about 2*n*p*p
// floating-point operations. The singular values of R are those of a.
func TSQR[T Float](a matrix.Source[T]) *matrix.Matrix[T] {
	rows, p := a.Rows(), a.Cols()
	x := openMatrix(a)
	for {
		block := tsqrBlock(rows, p)
		count := max(1, (rows+block-1)/block) // the factor of no rows is zero
		stack := factorBlocks("TSQR", x, count, p, block)
		if count == 1 {
			return matrix.Of(stack, p, p)
		}
		defer stack.Free()
		rows = count * p
		if x = openVector(stack); x.place != nil && !x.place.Copies() {
			x = x.at(array.PlaceOn(x.place.Devs[0], x.n))
		}
	}
}

// QR returns the factors of a tall matrix a, of n rows and p columns: Q, n x p with
// orthonormal columns, and R, the p x p triangle of [TSQR] up to rounding. It materializes a
// few matrices of the size of a. The columns of a must be independent, so n is at least p.
// Otherwise both factors may have elements that are NaN or infinite, or the columns of Q are
// not orthonormal. Where R alone is needed, TSQR does a fifth of the work.
//
// A/R has the columns of Q up to the rounding of a solution with R. So QR factorizes it again,
// which makes them orthonormal to a few units in the last place of 1 ("twice is enough":
// [Giraud et al. 2005]).
//
// [Giraud et al. 2005]: https://doi.org/10.1007/s00211-005-0615-4
func QR[T Float](a matrix.Source[T]) (q, r *matrix.Matrix[T]) {
	first := TSQR(a)
	defer first.Free()
	near := solveRight(a, first)
	defer near.Free()
	second := TSQR(near)
	defer second.Free()
	// second*first is the solution X of second⁻¹X = first.
	t := Transpose(second)
	defer t.Free()
	inverse := InverseLower(t)
	defer inverse.Free()
	return solveRight(near, second), SolveLowerTransposed(inverse, first)
}

// solveRight returns X of XR = A for an upper triangle R: R'X' = A'.
func solveRight[T Float](a matrix.Source[T], r *matrix.Matrix[T]) *matrix.Matrix[T] {
	l, right := Transpose(r), Transpose(a)
	defer l.Free()
	defer right.Free()
	x := SolveLower(l, right)
	defer x.Free()
	return Transpose(x)
}

const (
	slabRuns   = 4  // runs of a slab, SEGMENTS in kernels/factorr.cl
	slabRun    = 32 // rows of a run
	slabRows   = slabRuns * slabRun
	tsqrBlocks = 1024 // the most blocks into which TSQR divides a matrix, with enough rows
	tsqrShrink = 8    // TSQR's blocks have at least this number of rows for each column
)

// tsqrBlock returns the number of rows of the blocks into which TSQR divides a matrix.
func tsqrBlock(rows, cols int) int {
	block := max(1, tsqrShrink*cols, (rows+tsqrBlocks-1)/tsqrBlocks)
	return (block + slabRows - 1) / slabRows * slabRows
}

// factorBlocks returns the stacked factors of count blocks of rows.
func factorBlocks[T Float](name string, x *expr[T], count, p, block int) *vector.Vector[T] {
	c := &dense[T]{fun: &function{label: name}, count: count, out: []denseShape{{p, p}}}
	c.in = []denseInput[T]{{x, denseShape{block, p}}}
	c.run = func(m *meta, count int, in []*expr[T], out []*array.Array) error {
		f := &factoring[T]{label: name, x: in[0], rows: in[0].n / p, p: p, block: block}
		if m.device().Native() {
			return f.native(m, count, out[0])
		}
		return f.device(m, count, out[0])
	}
	return c.results()[0]
}

// factoring computes the factors of blocks on one device.
type factoring[T Float] struct {
	label          string
	x              *expr[T]
	rows, p, block int
}

// registerColumns is the most columns of a slab that a group on a GPU holds in registers.
const registerColumns = 128

// device launches the kernel.
func (f *factoring[T]) device(m *meta, count int, out *array.Array) error {
	d, size := m.device(), driver.SizeOf[T]()
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	var l denseLayout
	k := denseProgram[T]("factorr", f.label)
	defer k.release()
	k.accessors = append(k.accessors, accessor{name: "load", ctype: denseType[T](), node: f.x.node})
	k.args = append(k.args, mem.Arg(), driver.Value(int64(f.rows)), driver.Value(int64(f.block)),
		driver.Value(int64(count)), driver.Value(int32(f.p)))
	keep, width := []any{f.x, out}, (f.p+7)/8*8
	if d.Kind() != driver.CPU && f.p <= registerColumns && slabRuns*width <= d.Info().MaxGroup {
		l = f.inRegisters(d, width)
		k.grid = l.grid(d, count)
	} else {
		l = denseLayoutOf(d, f.p, 0, denseWidth)
		k.grid = l.grid(d, min(count, d.Info().Units*16))
		k.grid.Local = 0
		work, err := d.Alloc(k.grid.Groups * int64((slabRows+slabRuns+1)*f.p*size))
		if err != nil {
			return err
		}
		defer work.Free()
		k.args, keep = append(k.args, work.Arg()), append(keep, work)
	}
	k.defines += l.defines
	return k.launch(d, keep...)
}

// inRegisters returns the layout for slabs in registers, of the given number of columns with
// padding.
func (f *factoring[T]) inRegisters(d *devices.Device, width int) denseLayout {
	size, runs := driver.SizeOf[T](), slabRuns
	for runs > 1 && f.block <= runs/2*slabRun {
		runs /= 2
	}
	for runs*width < 32 { // a group has at least a warp
		width *= 2
	}
	l := denseLayout{lanes: runs * width}
	resident := max(1, 4096/size/l.lanes) // 64 registers of a lane for float32, and 128 for float64
	l.defines = fmt.Sprintf("#define IN_REGISTERS\n#define LANES %d\n#define WIDTH %d\n#define RUNS %d\n"+
		"#define RESIDENT %d\n", l.lanes, width, runs, min(resident, 16))
	fixed := (2*runs*(slabRun+16/size) + runs*width) * size
	triangle := f.p * (f.p + 1) / 2 * size
	if l.local = fixed; denseFits(d, fixed+triangle) {
		l.defines += "#define STAGED\n"
		l.local = fixed + triangle
	}
	l.local = (l.local + 15) &^ 15
	return l
}

// native computes the factors on the CPU.
func (f *factoring[T]) native(m *meta, count int, out *array.Array) error {
	to := array.Elements[T](out)
	return denseNative(m, f.label, count, f.block*f.p*f.p, func(s *scratch, b int) {
		h := &householder[T]{p: f.p, r: to[b*f.p*f.p : (b+1)*f.p*f.p]}
		clear(h.r)
		h.x, h.y, h.parts = take[T](s, slabRows*f.p), take[T](s, f.p), take[T](s, slabRuns*f.p)
		last := min((b+1)*f.block, f.rows)
		for at := b * f.block; at < last; at += slabRows {
			h.rows = min(slabRows, last-at)
			before := s.mark()
			copy(h.x, f.x.chunk(s, at*f.p, (at+h.rows)*f.p))
			s.release(before)
			clear(h.x[h.rows*f.p:])
			h.slab()
		}
	}, f.x, out)
}

// householder reflects slabs into R; see kernels/factorr.cl.
type householder[T Float] struct {
	p, rows     int
	r, x, parts []T // R; the slab; the sums of its runs
	y           []T // what the columns are reflected by
	scale       T   // of column j
	none        bool
}

// height returns the number of rows of a run that are computed. More than one row of zeros
// makes no difference.
func (h *householder[T]) height(run int) int {
	if rows := h.rows - run*slabRun; rows > 0 {
		return min(slabRun, rows+1)
	}
	return 0
}

// slab reflects a slab. One pass over it subtracts the multiples of a column and sums up
// the products with the next one.
func (h *householder[T]) slab() {
	h.none = true
	h.pass(-1)
	for j := range h.p {
		h.column(j)
		if j+1 < h.p {
			h.pass(j)
		}
	}
}

// pass subtracts the multiples of column j from the columns to the right, unless none is
// set, and then sums up the products of column j+1 and those from there on.
func (h *householder[T]) pass(j int) {
	p := h.p
	for run := range slabRuns {
		part := h.parts[run*p+j+1 : (run+1)*p]
		clear(part)
		y := h.y[j+1:][:len(part)]
		for i := run * slabRun; i < run*slabRun+h.height(run); i++ {
			row := h.x[i*p+j+1 : (i+1)*p][:len(part)]
			if !h.none {
				subtractMultiple(row, y, h.x[i*p+j]*h.scale)
			}
			addMultiple(part, row, row[0])
		}
	}
}

// addMultiple adds by times x to y, with fused multiply-adds.
func addMultiple[T Float](y, x []T, by T) {
	x = x[:len(y)]
	for i := range y {
		y[i] = math32.FMA(by, x[i], y[i])
	}
}

// sum returns the sum of the products of columns j, which parts is for, and k.
func (h *householder[T]) sum(k int) T {
	p := h.p
	return (h.parts[k] + h.parts[p+k]) + (h.parts[2*p+k] + h.parts[3*p+k])
}

// column computes row j of R, and y for the columns to the right of j.
func (h *householder[T]) column(j int) {
	row := h.r[j*h.p : (j+1)*h.p]
	alpha, sigma := row[j], h.sum(j)
	h.scale = 1
	small, large, negligible := limits[T]()
	if sum := math32.FMA(alpha, alpha, sigma); !(sum >= small && sum <= large) {
		h.rescale(j)
		sigma = h.sum(j)
	}
	scaled := alpha * h.scale
	if h.none = sigma <= scaled*scaled*negligible; h.none {
		return
	}
	s := T(math.Sqrt(float64(math32.FMA(scaled, scaled, sigma))))
	inverse, slope := 1/s, (scaled+s)/sigma
	row[j] = s / h.scale
	for k := j + 1; k < h.p; k++ {
		d, r := h.sum(k), row[k]
		h.y[k] = math32.FMA(slope, d, -r) * inverse
		row[k] = math32.FMA(scaled, r, d) * inverse
	}
}

// limits returns between which numbers sums of squares are accurate, and what part of the
// square of a number is lost in rounding.
func limits[T Float]() (small, large, negligible T) {
	if driver.SizeOf[T]() == 4 {
		return 0x1p-30, 0x1p60, 0x1p-52
	}
	low, high, part := 0x1p-400, 0x1p400, 0x1p-110
	return T(low), T(high), T(part)
}

// rescale scales column j so that its largest element is about 1, and sums up the products
// again.
func (h *householder[T]) rescale(j int) {
	p := h.p
	most := T(0)
	if alpha := h.r[j*p+j]; alpha > most {
		most = alpha
	}
	for i := range slabRows {
		if x := max(h.x[i*p+j], -h.x[i*p+j]); x > most {
			most = x
		}
	}
	h.scale = scaleFor(most)
	for run := range slabRuns {
		part := h.parts[run*p+j : (run+1)*p]
		clear(part)
		for i := run * slabRun; i < run*slabRun+h.height(run); i++ {
			row := h.x[i*p+j : (i+1)*p]
			v := row[0] * h.scale
			part[0] = math32.FMA(v, v, part[0])
			addMultiple(part[1:], row[1:], v)
		}
	}
}

// scaleFor returns the power of two by which a column is multiplied whose largest element is x.
func scaleFor[T Float](x T) T {
	if driver.SizeOf[T]() == 4 {
		e := min(max(math.Float32bits(float32(x))>>23, 1), 253)
		return T(math.Float32frombits((254 - e) << 23))
	}
	e := min(max(math.Float64bits(float64(x))>>52, 1), 2045)
	return T(math.Float64frombits((2046 - e) << 52))
}

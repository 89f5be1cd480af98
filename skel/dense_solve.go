package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/matrix"
)

// SolveLower returns the solution X of LX = B for each lower triangle L of a stack l, and
// each B of a stack b with as many matrices. If l has p columns, the matrices of b have p
// rows. Elements of l above the diagonals are not read.
//
// Element (i, c) is B(i, c) minus L(i, k)*X(k, c) for k = 0, 1, ..., i-1, by a fused
// multiply-add each, and then divided by L(i, i). A zero on the diagonal thus makes
// infinite or NaN elements, which is no error.
//
// Functions that b is pending on are computed by the same kernel; l is materialized.
// SolveLower panics if l is not a stack of square matrices, or b has another number of
// rows.
func SolveLower[T Float](l, b matrix.Source[T]) *matrix.Matrix[T] {
	return solveLower("SolveLower", "", l, b)
}

// SolveLowerTransposed is SolveLower for L'X = B. Element (i, c) is B(i, c) minus
// L(k, i)*X(k, c) for k = p-1, p-2, ..., i+1, divided by L(i, i). With L from [Cholesky],
// both solve AX = B.
func SolveLowerTransposed[T Float](l, b matrix.Source[T]) *matrix.Matrix[T] {
	return solveLower("SolveLowerTransposed", "#define TRANSPOSED\n", l, b)
}

// InverseLower returns the inverse of each lower triangle of a stack: the solutions of
// LX = I, whose terms with k < c are left out because X(k, c) is zero above the diagonal.
// See [SolveLower].
func InverseLower[T Float](l matrix.Source[T]) *matrix.Matrix[T] {
	c := newDense("InverseLower", l, l.Cols())
	c.out = []denseShape{c.in[0].denseShape}
	p := l.Cols()
	c.run = func(m *meta, count int, in []*expr[T], out []*array.Array) error {
		s := &solving[T]{label: "InverseLower", defines: "#define INVERSE\n", p: p, cols: p, lower: in[0]}
		return s.run(m, count, out[0])
	}
	return matrix.Of(c.results()[0], l.Rows(), p)
}

func solveLower[T Float](name, defines string, l, b matrix.Source[T]) *matrix.Matrix[T] {
	if l.Rows() != b.Rows() {
		panic(fmt.Sprintf("skel: %s: stacks of %d x %d and %d x %d have different numbers of rows",
			name, l.Rows(), l.Cols(), b.Rows(), b.Cols()))
	}
	c := newDense(name, l, l.Cols())
	c.in = append(c.in, denseInput[T]{openMatrix(b), denseShape{l.Cols(), b.Cols()}})
	c.out = []denseShape{c.in[1].denseShape}
	c.run = func(m *meta, count int, in []*expr[T], out []*array.Array) error {
		s := &solving[T]{label: name, defines: defines, p: l.Cols(), cols: b.Cols(), lower: in[0], right: in[1]}
		return s.run(m, count, out[0])
	}
	return matrix.Of(c.results()[0], b.Rows(), b.Cols())
}

// solving solves systems with lower triangles.
type solving[T Float] struct {
	label, defines string
	p, cols        int
	lower, right   *expr[T] // right is nil for an inverse
}

func (s *solving[T]) run(m *meta, count int, out *array.Array) error {
	lower := materialized(s.lower)
	if lower.err != nil {
		return lower.err
	}
	d := m.device()
	if d.Native() {
		to, size := array.Elements[T](out), s.p*s.cols
		return denseNative(m, s.label, count, s.p*size/2, func(room *scratch, i int) {
			x := to[i*size : (i+1)*size]
			if s.right != nil {
				copy(x, s.right.chunk(room, i*size, (i+1)*size))
			}
			s.native(lower.mem[i*s.p*s.p:(i+1)*s.p*s.p], x)
		}, lower, s.right, out)
	}
	mem, err := out.Memory()
	if err != nil {
		return err
	}
	width, local := s.tile(d)
	l := denseLayoutOf(d, s.p, local, width)
	l.defines += s.defines
	k := denseProgram[T]("solvelower", s.label)
	defer k.release()
	k.defines += l.defines
	if s.right != nil {
		k.accessors = append(k.accessors, accessor{name: "load", ctype: denseType[T](), node: s.right.node})
	}
	tiles := 1
	if l.lanes > 0 {
		tiles = (s.cols + width - 1) / width
	}
	k.grid = l.grid(d, count*tiles)
	from, err := lower.inputs[0].Memory()
	if err != nil {
		return err
	}
	k.args = append(k.args, from.Arg(), mem.Arg(), driver.Value(int64(count)), driver.Value(int32(s.p)),
		driver.Value(int32(s.cols)))
	return k.launch(d, lower, s.right, out)
}

// tile returns the number of columns that a group on a GPU computes at a time, and how many
// bytes these and the triangle take.
func (s *solving[T]) tile(d *devices.Device) (width, bytes int) {
	for width = denseWidth; width > 1 && width >= 2*s.cols; {
		width /= 2
	}
	for w := width; w >= min(4, width); w /= 2 {
		if bytes = (s.p*(s.p+1)/2 + s.p*w) * driver.SizeOf[T](); denseFits(d, bytes) || w == 1 {
			return w, bytes
		}
	}
	return width, bytes
}

// native solves one system. x holds the right side, and then the solution.
func (s *solving[T]) native(l, x []T) {
	p, m := s.p, s.cols
	if s.right == nil {
		clear(x)
	}
	for at := range p {
		i, step := at, 1
		if s.defines == "#define TRANSPOSED\n" {
			i, step = p-1-at, -1
		}
		row := x[i*m : (i+1)*m]
		if s.right == nil {
			row = row[:i+1]
			row[i] = 1
		}
		for k, left := i-at*step, at; left > 0; k, left = k+step, left-1 {
			by := l[i*p+k]
			if step < 0 {
				by = l[k*p+i]
			}
			end := len(row)
			if s.right == nil {
				end = k + 1
			}
			subtractMultiple(row[:end], x[k*m:], by)
		}
		d := l[i*p+i]
		for c := range row {
			row[c] /= d
		}
	}
}

// materialized returns x if it is in memory, and else its elements, computed at once.
func materialized[T any](x *expr[T]) *expr[T] {
	if x.err != nil || x.kind == memory {
		return x
	}
	v := pendingVector(x)
	_, err := arrayOf(v).Memory()
	y := openVector(v)
	y.err = firstError(y.err, err)
	return y
}

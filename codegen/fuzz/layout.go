package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// layout holds the positions of a program's arguments and results. Parameters
// and results are arrays, as for a Map, so that compilers vectorize the
// program. Each sample has a record for the plain fields of the extra argument
// and the views, and another for the out-views, which initially have random
// contents.
type layout struct {
	pieces []int64 // number of samples in each call of the map kernel
	n      int64   // number of all samples

	lengths int64    // position of pieces
	params  []column // arguments
	extra   column
	results column
	views   column // out-views
}

// column holds one value for each sample.
type column struct {
	typ    *typ
	base   int64
	stride int64
}

func (c column) at(sample int64) int64 { return c.base + sample*c.stride }

// lengths has values just below, at and above every vector width, unrolled or
// not.
var lengths = []int64{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129}

// chunks has values just below, at and above the length of a CPU work-item's
// chunk, and a smaller one.
var chunks = []int64{4096, 16383, 16384, 16385}

// samples is the minimum number of arguments with which a program is tested.
const samples = 100

// draw chooses the lengths of the calls: some short ones and one longer than
// any vector. A few programs with small arguments are called with the maximum
// length of a work-item's chunk.
func draw(r *rand.Rand, size int64) (pieces []int64, n int64) {
	for n < samples {
		pieces = append(pieces, lengths[r.IntN(len(lengths))])
		n += pieces[len(pieces)-1]
	}
	long := lengths[len(lengths)-1-r.IntN(3)]
	if size <= 32 && r.IntN(8) == 0 {
		long = chunks[r.IntN(len(chunks))]
	}
	return append(pieces, long), n + long
}

// layout places a program's arguments from position in and its results from
// position out, and returns the ends of both.
func (p *Program) layout(in, out int64) (l layout, inEnd, outEnd int64) {
	column := func(end *int64, t *typ, stride int64) column {
		c := column{t, roundUp(*end, 16), stride}
		*end = c.at(l.n)
		return c
	}
	var results, extra, views []field
	for i, t := range p.results {
		results = append(results, field{name: fmt.Sprintf("r%d", i), typ: t})
	}
	switch {
	case p.extra == nil:
	case p.extra.plain():
		extra = append(extra, field{typ: p.extra})
	default:
		for _, f := range p.extra.fields {
			switch {
			case f.typ.kind == outView:
				views = append(views, field{name: f.name, typ: arrayOf(f.typ.elem, f.typ.n)})
			case f.typ.plain():
				extra = append(extra, f)
			default:
				memory := arrayOf(f.typ.elem, f.typ.n)
				memory.align = 16 // like all device memory
				extra = append(extra, field{name: f.name, typ: memory})
			}
		}
	}
	// In structs, as they are returned.
	record, written, result := structOf("", extra), structOf("", views), structOf("", results)
	size := record.size + written.size + result.size
	for _, t := range p.params {
		size += t.size
	}
	l.pieces, l.n = draw(rand.New(rand.NewPCG(p.Seed, 0x1e17)), size)
	l.lengths = roundUp(in, 16)
	in = l.lengths + 8*int64(len(l.pieces))
	for _, t := range p.params {
		l.params = append(l.params, column(&in, t, t.size))
	}
	l.extra = column(&in, record, roundUp(record.size, 16))
	l.results = column(&out, result, result.size)
	l.views = column(&out, written, roundUp(written.size, 16))
	return l, in, out
}

// inputs and outputs return the columns of the input and of the output.
func (l *layout) inputs() []column  { return append(l.params[:len(l.params):len(l.params)], l.extra) }
func (l *layout) outputs() []column { return []column{l.results, l.views} }

// field returns the field with the given name.
func (t *typ) field(name string) (field, bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// fill writes random values to a column's leaves; half of them are small or
// special.
func fill(r *rand.Rand, mem []byte, c column, n int64) {
	leaves := c.typ.leaves("", 0)
	for s := range n {
		for _, l := range leaves {
			var b uint64
			switch l.kind {
			case boolean:
				b = r.Uint64() & 1
			case f32:
				b = uint64(math.Float32bits(float32(number(r))))
			case f64:
				b = math.Float64bits(number(r))
			default:
				b = r.Uint64()
				switch r.IntN(4) {
				case 0:
					b = uint64(r.IntN(20) - 10)
				case 1:
					b >>= r.IntN(64)
				case 2:
					b = 1<<(8*basicSizes[l.kind]-1) - uint64(r.IntN(3))
				}
			}
			var buf [8]byte
			binary.LittleEndian.PutUint64(buf[:], b)
			copy(mem[c.at(s)+l.off:], buf[:basicSizes[l.kind]])
		}
	}
}

func number(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return [...]float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-42,
			math.MaxFloat32, 5e-324, math.MaxFloat64, 1 << 31, 1 << 63}[r.IntN(13)]
	case 1, 2:
		return float64(r.IntN(200) - 100)
	case 3:
		return math.Float64frombits(r.Uint64())
	}
	return r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-3))
}

package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// samples is how many arguments a program is tried with.
const samples = 40

// layout is where a program's arguments and results lie. The input of a
// sample holds the parameters, the plain fields of the extra argument and the
// views; the output holds the results and the out-views, which start out
// with random content.
type layout struct {
	in, out         *typ // structs, for one sample
	inBase, outBase int64
}

func (p *Program) layout(inBase, outBase int64) layout {
	var in, out []field
	for i, t := range p.params {
		in = append(in, field{name: fmt.Sprintf("p%d", i), typ: t})
	}
	for i, t := range p.results {
		out = append(out, field{name: fmt.Sprintf("r%d", i), typ: t})
	}
	// The results lie as the struct that returns them does.
	result := structOf("", out)
	out = []field{{name: "result", typ: result}}
	switch {
	case p.extra == nil:
	case p.extra.plain():
		in = append(in, field{typ: p.extra})
	default:
		for _, f := range p.extra.fields {
			switch {
			case f.typ.kind == outView:
				out = append(out, field{name: f.name, typ: arrayOf(f.typ.elem, f.typ.n)})
			case f.typ.plain():
				in = append(in, f)
			default:
				memory := arrayOf(f.typ.elem, f.typ.n)
				memory.align = 16 // as all memory of devices
				in = append(in, field{name: f.name, typ: memory})
			}
		}
	}
	return layout{in: structOf("", in), out: structOf("", out), inBase: roundUp(inBase, 16), outBase: roundUp(outBase, 16)}
}

// stride is the distance of two samples.
func stride(t *typ) int64 { return roundUp(t.size, 16) }

func (l layout) inEnd() int64  { return l.inBase + samples*stride(l.in) }
func (l layout) outEnd() int64 { return l.outBase + samples*stride(l.out) }

// field finds a field by name.
func (t *typ) field(name string) (field, bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// fill writes random values of t's leaves: half of them small or special.
func fill(r *rand.Rand, mem []byte, t *typ, base int64) {
	for s := range int64(samples) {
		for _, l := range t.leaves("", base+s*stride(t)) {
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
			copy(mem[l.off:], buf[:basicSizes[l.kind]])
		}
	}
}

func number(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return [...]float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-42, math.MaxFloat32, 5e-324, math.MaxFloat64, 1 << 31, 1 << 63}[r.IntN(13)]
	case 1, 2:
		return float64(r.IntN(200) - 100)
	case 3:
		return math.Float64frombits(r.Uint64())
	}
	return r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-3))
}

package grid

import (
	"math/bits"

	"github.com/skelgo/skelgo/apps/grid/expression"
)

// axisOf returns the axis of the only variable in a set.
func axisOf(variables uint) int { return bits.TrailingZeros(variables) }

// formulaLoops evaluates a formula on the CPU device.
type formulaLoops struct {
	*formula
	*expression.Evaluator
	tabled bool
}

// one evaluates node i.
func (l *formulaLoops) one(i int, b block) float64 {
	var dst [1]float64
	l.run(dst[:], i, b)
	return dst[0]
}

// place is the place of an operation's values: its axis, and where its row of the table begins, or
// -1 for coordinates that are computed.
func (l *formulaLoops) place(step int, b *block) (k, row int) {
	k = axisOf(l.Variables[step])
	row = b.Lines[k].Table
	if l.tabled {
		row += l.row[step] * b.Lines[k].Count
	}
	return k, row
}

// run evaluates nodes lo, lo+1, ... of a block. It divides once for each axis and chunk, because it
// knows how often an index repeats.
func (l *formulaLoops) run(dst []float64, lo int, b block) {
	var stride, first [MaxDim]int
	total := 0
	for k, s := l.dim-1, 1; k >= 0; k-- {
		stride[k] = s
		total += b.Lines[k].First * s
		s *= b.Lines[k].Count
	}
	first[0] = total + lo
	l.Eval(dst, func(step, from int, x []float64) []float64 {
		k, row := l.place(step, &b)
		at, count := first[0]+from, b.Lines[k].Count
		index := at / stride[k] % count
		left := stride[k] - at%stride[k] // how often the index occurs yet
		if stride[k] == 1 && b.Along != k && row >= 0 {
			for i := range x {
				x[i] = b.Table.At(row + index)
				if index++; index == count {
					index = 0
				}
			}
			return x
		}
		for done := 0; done < len(x); {
			n := min(left, len(x)-done)
			v := l.entry(&b, k, row, index)
			for i := range n {
				x[done+i] = v
			}
			done += n
			left = stride[k]
			if index++; index == count {
				index = 0
			}
		}
		return x
	})
}

// nodes evaluates the given nodes of a block.
func (l *formulaLoops) nodes(dst []float64, nodes []int, b block) {
	l.Eval(dst, func(step, from int, x []float64) []float64 {
		k, row := l.place(step, &b)
		for i := range x {
			q, index := nodes[from+i], 0
			for j := l.dim - 1; j >= k; j-- {
				q, index = divide(q+b.Lines[j].First, b.Lines[j].Count,
					b.Lines[j].Inverse)
			}
			x[i] = l.entry(&b, k, row, index)
		}
		return x
	})
}

// entry returns the value at an index of an axis, or at its neighbour.
func (l *formulaLoops) entry(b *block, k, row, index int) float64 {
	if k == b.Along {
		index = beside(index, b.Delta, b.Lines[k].Count)
	}
	if row >= 0 {
		return b.Table.At(row + index)
	}
	return linear(b.Lines[k].Begin, b.Lines[k].Step, index)
}

package grid

import (
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// On GPUs, a formula is evaluated by strided runs: the nodes of a run are stride apart, so that the lanes
// of a warp read neighbouring entries of the table at any time. A run divides once, for the indices of its
// first node. While it stays in a row, only the index of the last axis changes, and what does not depend
// on the last axis is computed once.
//
// stride is the number of lanes of a warp. A lane of Reduce takes neighbours runs, one after the other:
// 64 bytes of elements of type best (docs/adr/0007).
const (
	stride     = 32
	neighbours = 4
)

// The longest strided run has longestRun nodes. Runs are shorter if there would be fewer than enoughRuns,
// which is two tiles of Reduce for each compute unit of a large GPU.
const (
	longestRun = 256
	enoughRuns = 1 << 18
)

// stridedLen returns the length of strided runs for a block of n nodes, a power of two.
func stridedLen(n int) int {
	length := 1
	for length < longestRun && n >= 2*length*enoughRuns {
		length *= 2
	}
	return length
}

// stridedRuns returns the number of strided runs of n nodes. The last ones may be empty.
func stridedRuns(n, length int) int {
	const together = stride * neighbours
	return (n + together*length - 1) / (together * length) * together
}

// stridedFirst returns the first node of strided run i. Of every 128 runs, the runs that a warp of Reduce
// evaluates at the same time begin at neighbouring nodes.
//
//skel:func
func stridedFirst(i, length int) int {
	return (i&^127+(i&3)*stride)*length + (i&127)>>2
}

// usesStridedRuns reports whether searches for the minimum on some devices evaluate formulas by strided
// runs.
func usesStridedRuns(where vector.Distribution) bool {
	return slices.ContainsFunc(where.Devices(), func(d *devices.Device) bool { return d.Info().Kind == devices.GPU })
}

// newStridedRuns returns the strided runs of a formula.
func (l *formulaLoops) newStridedRuns() (*runs, error) {
	form, err := l.stridedForm()
	if err != nil {
		return nil, err
	}
	return skel.MapWithForm(l.strided, form), nil
}

// strided finds the best node of a strided run. It runs where a search uses GPUs and the CPU device
// together.
func (l *formulaLoops) strided(i int, b block) best {
	var values [longestRun]float64
	var nodes [longestRun]int
	first, n := stridedFirst(i, b.Run), 0
	for n < b.Run && first+n*stride < b.Nodes {
		nodes[n] = first + n*stride
		n++
	}
	l.nodes(values[:n], nodes[:n], b)
	least := best{Value: math.Inf(1), Node: uint32(first)}
	for k, v := range values[:n] {
		switch {
		case v-v != 0:
			least.Lost++
		case v < least.Value:
			least.Value, least.Node = v, uint32(nodes[k])
		}
	}
	return least
}

// stridedForm returns the device form of the strided runs of a formula.
func (l *formulaLoops) stridedForm() (*registry.Func, error) {
	like, err := registry.Of(runTemplate)
	if err != nil {
		return nil, err
	}
	w := &formulaWriter{formulaLoops: l, idents: map[string]string{}}
	w.strided(like.Result)
	if w.err != nil {
		return nil, w.err
	}
	return w.form("strided runs of formula "+l.name, like), nil
}

// strided writes the body of a function that evaluates a strided run. The inner loop stays in a row: in
// nodes that differ in the last axis only. All lanes of a warp finish the row before any begins the next.
func (w *formulaWriter) strided(result string) {
	last := w.dim - 1
	w.line("i64 q = %si, b.Run), node = q;", w.ident("stridedFirst"))
	w.line("i64 end = skel_bmin_i64(b.Nodes, q + %d * b.Run);", stride)
	w.line("f64 least = SKEL_INF_f64; u32 at = (u32)q, lost = 0;")
	w.indices()
	w.line("while (node < end) {")
	var inner []int
	for _, i := range w.Order() {
		switch {
		case w.Variables[i]>>last&1 != 0:
			inner = append(inner, i)
			if w.inTable(i) {
				w.line("GLOBAL const f64 *p%d = &%s;", i, w.step(i))
			}
		default:
			w.line("f64 v%d = %s;", i, w.step(i))
		}
	}
	w.line("i64 i_row = i%d;", last)
	w.line("i32 n = (i32)skel_bmin_i64(end - node, b.Lines.a[%d].Count - i_row);", last)
	w.line("for (i32 e = 0; e < n; e += %d) {", stride)
	w.line("i64 i%d = i_row + e;", last)
	for _, i := range inner {
		if w.inTable(i) {
			w.line("f64 v%d = p%d[e];", i, i)
		} else {
			w.line("f64 v%d = %s;", i, w.step(i))
		}
	}
	w.line("u32 bad = !(v%d - v%d == 0.0);", w.Result, w.Result)
	w.line("lost += bad;")
	w.line("if (!bad && v%d < least) { least = v%d; at = (u32)node + (u32)e; }", w.Result, w.Result)
	w.line("}")
	w.line("i64 c = (n + %d) / %d * %d;", stride-1, stride, stride)
	w.line("node += c; i%d += c;", last)
	for k := last; k > 0; k-- { // a short axis ends several times in a stride
		count := fmt.Sprintf("b.Lines.a[%d].Count", k)
		w.line("c = 0;")
		w.line("while (i%d >= %s) { i%d -= %s; c++; }", k, count, k, count)
		w.line("i%d += c;", k-1)
	}
	w.line("}")
	w.line("return LIT(%s){least, at, lost};", result)
}

// inTable reports whether the values of an operation are in the table.
func (w *formulaWriter) inTable(step int) bool {
	_, is := w.row[step]
	return w.tabled && is
}

package grid

import (
	"fmt"
	"math"
	"strings"

	"github.com/skelgo/skelgo/apps/grid/expression"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/skel"
)

// On processors that are not GPUs, a formula is evaluated by runs of consecutive nodes, of which only
// the best one is passed on. A run needs divisions for its first node only, and what does not depend on
// the last axis is computed once for all nodes that differ in nothing else. Values are in a small array,
// so that compilers use vector instructions. On a GPU, neighbouring lanes would read the table at
// distances of a run, so it evaluates strided runs instead (formula_strided.go).

// runLen is the number of nodes of a run.
const runLen = 256

// runTemplate has the type of runs of all formulas, and calls what their device forms call.
//
//skel:func
func runTemplate(i int, b block) best { return candidate(template(i, b), b.Nodes) }

// runs is the Map from the numbers of runs to their best nodes.
type runs = skel.MapWith[int, block, best]

// newRuns returns the runs of a formula.
func (l *formulaLoops) newRuns() (*runs, error) {
	form, err := l.runForm()
	if err != nil {
		return nil, err
	}
	rows := l.Rows(l.dim - 1)
	one := func(i int, b block) best {
		var dst [1]best
		l.best(rows, dst[:], i, b)
		return dst[0]
	}
	form.Loops = registry.Loops{Index: func(dst []best, lo int, b block) { l.best(rows, dst, lo, b) }}
	return skel.MapWithForm(one, form), nil
}

// best finds the best nodes of runs lo, lo+1, ... of a block.
func (l *formulaLoops) best(rows *expression.Rows, dst []best, lo int, b block) {
	row := rows.Row()
	defer row.Free()
	last := l.dim - 1
	var index [MaxDim]int
	for k, q := last, lo*runLen; k >= 0; k-- {
		q += b.Lines[k].First
		index[k] = q
		if k > 0 {
			index[k] = q % b.Lines[k].Count
			q /= b.Lines[k].Count
		}
	}
	first := func(step int) float64 {
		k, place := l.place(step, &b)
		return l.entry(&b, k, place, index[k])
	}
	given := func(step, from int, x []float64) []float64 {
		_, place := l.place(step, &b)
		at := index[last] + from
		if place >= 0 {
			return b.Table.Slice(place+at, place+at+len(x))
		}
		for i := range x {
			x[i] = linear(b.Lines[last].Begin, b.Lines[last].Step, at+i)
		}
		return x
	}
	row.Begin(first)
	var values [runLen]float64
	for r := range dst {
		node := (lo + r) * runLen
		run := values[:min(runLen, b.Nodes-node)]
		for k := 0; k < len(run); {
			m := min(len(run)-k, b.Lines[last].Count-index[last])
			row.Eval(run[k:k+m], given)
			k += m
			if index[last] += m; index[last] < b.Lines[last].Count {
				continue
			}
			index[last] = 0
			for j := last - 1; j >= 0; j-- {
				if index[j]++; j == 0 || index[j] < b.Lines[j].Count {
					break
				}
				index[j] = 0
			}
			if node+k < b.Nodes {
				row.Begin(first)
			}
		}
		dst[r] = bestOf(run, node)
	}
}

// bestOf returns the best of the values of nodes first, first+1, ... of a block.
func bestOf(values []float64, first int) best {
	least, at := math.Inf(1), 0
	var a, b, c, d float64 // a sum is finite only if its terms are
	k := 0
	for ; k+4 <= len(values); k += 4 {
		v := values[k : k+4 : k+4]
		a, b, c, d = a+v[0], b+v[1], c+v[2], d+v[3]
		if v[0] < least {
			least, at = v[0], k
		}
		if v[1] < least {
			least, at = v[1], k+1
		}
		if v[2] < least {
			least, at = v[2], k+2
		}
		if v[3] < least {
			least, at = v[3], k+3
		}
	}
	for ; k < len(values); k++ {
		a += values[k]
		if values[k] < least {
			least, at = values[k], k
		}
	}
	if sum := a + b + c + d; sum-sum == 0 {
		return best{least, uint32(first + at), 0}
	}
	lost := uint32(0)
	least, at = math.Inf(1), 0
	for k, v := range values {
		switch {
		case v-v != 0:
			lost++
		case v < least:
			least, at = v, k
		}
	}
	return best{least, uint32(first + at), lost}
}

// runForm returns the device form of the runs of a formula.
func (l *formulaLoops) runForm() (*registry.Func, error) {
	like, err := registry.Of(runTemplate)
	if err != nil {
		return nil, err
	}
	w := &formulaWriter{formulaLoops: l, idents: map[string]string{}}
	w.run(like.Result)
	if w.err != nil {
		return nil, w.err
	}
	return w.form("runs of formula "+l.name, like), nil
}

// run writes the body of a function that evaluates a run: for all nodes that differ in the last axis
// only, a loop that stores their values; then the best of these values.
func (w *formulaWriter) run(result string) {
	last := w.dim - 1
	count := fmt.Sprintf("b.Lines.a[%d].Count", last)
	w.line("i64 q = i * %d, n = skel_bmin_i64(%d, b.Nodes - q), first = q, k = 0;", runLen, runLen)
	w.line("f64 values[%d];", runLen)
	w.indices()
	w.line("while (k < n) {")
	w.line("i64 m = skel_bmin_i64(n - k, %s - i%d);", count, last)
	var inner []int
	for _, i := range w.Order() {
		if w.Variables[i]>>last&1 == 0 {
			w.line("f64 v%d = %s;", i, w.step(i))
		} else {
			inner = append(inner, i)
		}
	}
	w.line("i64 i_row = i%d;", last)
	w.line("for (i64 e = 0; e < m; e++) {")
	w.line("i64 i%d = i_row + e;", last)
	for _, i := range inner {
		w.line("f64 v%d = %s;", i, w.step(i))
	}
	w.line("values[k + e] = v%d;", w.Result)
	w.line("}")
	w.line("k += m; i%d = 0;", last)
	for k := last - 1; k >= 0; k-- {
		w.line("i%d++;", k)
		if k > 0 {
			w.line("if (i%d == b.Lines.a[%d].Count) { i%d = 0;", k, k, k)
		}
	}
	w.line("%s}", strings.Repeat("} ", max(0, last-1)))

	w.line("i64 lost = 0, e = 0;")
	w.line("f64 least[8];")
	w.line("for (i64 j = 0; j < 8; j++) { least[j] = SKEL_INF_f64; }")
	w.line("while (e < n) { i64 bad = !(values[e] - values[e] == 0.0); lost += bad; " +
		"values[e] = bad ? SKEL_INF_f64 : values[e]; e++; }")
	w.line("e = 0;")
	w.line("while (e + 8 <= n) { for (i64 j = 0; j < 8; j++) { f64 v = values[e + j]; " +
		"least[j] = v < least[j] ? v : least[j]; } e += 8; }")
	w.line("while (e < n) { least[0] = values[e] < least[0] ? values[e] : least[0]; e++; }")
	w.line("f64 all = least[0];")
	w.line("for (i64 j = 0; j < 8; j++) { all = least[j] < all ? least[j] : all; }")
	w.line("i64 at = 0;")
	w.line("while (at < n - 1 && values[at] != all) { at++; }")
	w.line("return LIT(%s){all, (u32)(first + at), (u32)lost};", result)
}

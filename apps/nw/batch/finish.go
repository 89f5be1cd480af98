package batch

import (
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/vector"
)

// whole is a table, or those that go on from each other: the first and the last of
// them, the rows of all, and where the last row and the first of the right ends are.
type whole struct {
	first, last   *task
	rows          int64
	bottom, right int64
	end           ending
	row, col      int64 // where its path ends, from the first row on
}

// wholes are what tables are together.
func wholes(tasks []task) []*whole {
	var list []*whole
	of := make([]*whole, len(tasks))
	var cols, rows int64
	for i := range tasks {
		t := &tasks[i]
		var w *whole
		if t.Below > 0 {
			w = of[t.Below-1]
		} else {
			w = &whole{first: t, right: rows}
			list = append(list, w)
		}
		of[i] = w
		w.last, w.bottom = t, cols
		w.rows += t.Rows
		w.row, w.col = w.rows-1, t.Cols-1
		cols, rows = cols+t.Cols, rows+t.Rows
	}
	return list
}

// finish computes tables and finds where they end: in their last cells, or where
// the ends are free, where it is best. It gives the last rows, too. Tables that go on
// from each other come one after the other.
func finish[C cell, E any](d *desk, p *pass[C, E], tasks []task, free align.Ends, extra E) ([]*whole, *vector.Vector[C], error) {
	if err := d.watch.seen(0); err != nil {
		return nil, nil, err
	}
	list := wholes(tasks)
	bottom, right := p.tables.With(extra).Watched(d.watch.seen).Ends(tables(tasks))
	defer right.Free()
	fail := func(err error) ([]*whole, *vector.Vector[C], error) {
		bottom.Free()
		return nil, nil, err
	}
	if err := chooseEnds(d, p, list, free, bottom, right); err != nil {
		return fail(err)
	}
	at := make([]int64, len(list))
	for i, w := range list {
		if at[i] = w.bottom + max(w.col, 0); w.row < w.rows-1 {
			at[i] = -1 - (w.right + max(w.row, 0))
		}
	}
	numbers := vector.From(at, d.where)
	defer numbers.Free()
	cells := p.ended.With(ends[C]{bottom.View(), right.View()}).Apply(numbers)
	defer cells.Free()
	found, err := cells.Host()
	if err != nil {
		return fail(err)
	}
	for i, w := range list {
		w.end = found[i]
		if w.row < 0 { // nothing is aligned
			w.end = ending{Key: w.first.above(w.first.Cols - 1)}
		} else if w.col < 0 {
			w.end = ending{Key: w.last.beside(w.last.Rows - 1)}
		}
	}
	return list, bottom, nil
}

// either does it with the pass for linear or for affine gap costs, and leaves the
// last rows.
func either[C, D cell, E any](d *desk, linear *pass[C, E], affine *pass[D, E], tasks []task, free align.Ends, extra E) (list []*whole, err error) {
	if d.affine() {
		list, bottom, err := finish(d, affine, tasks, free, extra)
		if err == nil {
			bottom.Free()
		}
		return list, err
	}
	list, bottom, err := finish(d, linear, tasks, free, extra)
	if err == nil {
		bottom.Free()
	}
	return list, err
}

// end is where a path may end in the last column, or row: at a letter of the one
// sequence, -1 for the border.
type end struct{ score, at int64 }

// chooseEnds finds the best ends of tables.
func chooseEnds[C cell, E any](d *desk, p *pass[C, E], list []*whole, free align.Ends, bottom, right *vector.Vector[C]) error {
	rank := d.Ties.ranks()
	up, left := rank[1], rank[2]
	best := func(cells *vector.Vector[C], part func(*whole) (begin, n int64, border int32), own, past int32) ([]end, error) {
		offsets := []int{0} // what is not of a last row or column is in segments of its own
		for _, w := range list {
			begin, n, _ := part(w)
			offsets = append(offsets, int(begin), int(begin+n))
		}
		if last := len(offsets) - 1; offsets[last] < cells.Len() {
			offsets = append(offsets, cells.Len())
		}
		begin := vector.From(offsets, d.where)
		defer begin.Free()
		ranks := greatest.Segments(p.ranks.With(past).Apply(cells, vector.Indices(cells.Len(), d.where)), begin)
		defer ranks.Free()
		found, err := ranks.Host()
		if err != nil {
			return nil, err
		}
		result := make([]end, len(list))
		for i, w := range list {
			begin, _, border := part(w)
			score, stays, at := ranked(found[2*i+1])
			r := max(rankOf(score, stays, at-begin+1), rankOf(int64(border>>2), own > past, 0))
			score, _, at = ranked(r)
			result[i] = end{score, at - 1}
		}
		return result, nil
	}
	var below, beside []end
	var err error
	if free.EndB {
		below, err = best(bottom, func(w *whole) (int64, int64, int32) {
			return w.bottom, w.last.Cols, w.last.beside(w.last.Rows - 1)
		}, up, left)
	}
	if free.EndA && err == nil {
		beside, err = best(right, func(w *whole) (int64, int64, int32) {
			return w.right, w.rows, w.first.above(w.first.Cols - 1)
		}, left, up)
	}
	if err != nil {
		return err
	}
	for i, w := range list {
		switch {
		case free.EndA && (!free.EndB || beside[i].score > below[i].score ||
			beside[i].score == below[i].score && beside[i].at != w.row && (below[i].at == w.col || up > left)):
			w.row = beside[i].at
		case free.EndB:
			w.col = below[i].at
		}
	}
	return nil
}

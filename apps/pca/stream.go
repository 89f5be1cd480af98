package pca

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/internal/data"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// stream is compute for objects that stay in their file: it computes the components from a matrix that is
// read in parts, and the results block by block.
func (t objects[T]) stream(ctx context.Context, r *app.Runner, j *job, where vector.Distribution) error {
	if j.model == nil {
		x := matrix.FromReader[T](r.Progress.Reading(data.Elements[T](t.source), t.bytes()), t.Rows, t.Cols, where)
		err := t.fit(ctx, r, j, x)
		x.Free() // the blocks need memory
		if err != nil {
			return t.explain(err)
		}
	}
	if j.output() == "" && j.Plot == "" {
		return nil
	}
	r.Phases.Start(j.phase())
	defer r.Progress.Done()
	if j.output() != "" {
		return data.WriteRows(&r.Files, j.output(), j.newResults(), t.blocks(ctx, r, j))
	}
	for _, err := range t.blocks(ctx, r, j) { // for the plot
		if err != nil {
			return err
		}
	}
	return nil
}

// explain makes an error of Fit one about the file.
func (t objects[T]) explain(err error) error {
	if e := new(nonFinite); errors.As(err, &e) {
		if found := data.CheckFinite[T](t.source, e.row, e.row+1); found != nil {
			return app.InputError(found)
		}
	}
	return err
}

// blockBytes is the most bytes of objects in a block.
const blockBytes = 32 << 20

// blocks computes the results of one block of objects after the other, and draws those that are in the plot.
func (t objects[T]) blocks(ctx context.Context, r *app.Runner, j *job) iter.Seq2[[]float64, error] {
	width := max(t.rowBytes(), 8*int64(j.newResults().Cols)) // bytes of a row, or of its result
	rows := int(max(1, min(blockBytes, r.Devices[0].Budget()/32)/width))
	return func(yield func([]float64, error) bool) {
		for lo := 0; lo < t.Rows; lo += rows {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			r.Progress.Printf("%s: row %s of %s", j.phase(), app.Digits(lo), app.Digits(t.Rows))
			block, err := t.block(r, j, lo, min(lo+rows, t.Rows))
			if err == nil {
				j.draw(lo, block)
			}
			if !yield(block, err) || err != nil {
				return
			}
		}
	}
}

// rowBytes returns the size of an object.
func (t objects[T]) rowBytes() int64 { return t.bytes() / int64(t.Rows) }

// block returns the results of rows lo to hi-1.
func (t objects[T]) block(r *app.Runner, j *job, lo, hi int) ([]float64, error) {
	part := io.NewSectionReader(data.Elements[T](t.source), int64(lo)*t.rowBytes(), int64(hi-lo)*t.rowBytes())
	x := matrix.FromReader[T](part, hi-lo, t.Cols, app.Distribute(r.Devices, part.Size()))
	defer x.Free()
	m, err := t.results(j, x)
	if err != nil {
		return nil, err
	}
	defer m.Free()
	elements, err := m.Host()
	if err != nil {
		return nil, err
	}
	for i := range hi - lo {
		if v := elements[i*m.Cols()]; v-v != 0 { // Fit has checked the rows, but with --model nothing has
			if err := data.CheckFinite[T](t.source, lo+i, lo+i+1); err != nil {
				return nil, app.InputError(err)
			}
		}
	}
	return elements, nil
}

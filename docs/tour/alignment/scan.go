package alignment

import (
	"errors"
	"fmt"
	"math"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// pair holds two sequences, as codes of their letters, and their scoring.
type pair struct {
	A, B   vector.View[byte]
	Scores matrix.View[int32] // score of a letter of A against a letter of B
	Gap    int32              // cost of each letter of a gap
}

// show scan

// row holds what row i is computed from: i, the rows above, and the sequences.
type row struct {
	I    vector.View[int] // one element
	H    matrix.View[int32]
	Pair pair
}

// above returns the best score of element j among alignments that do not end in a gap in a.
func above(j int, r row) int32 {
	i, gap := r.I.At(0), r.Pair.Gap
	switch {
	case j == 0:
		return int32(i) * -gap
	case i == 0:
		return never
	}
	return max(r.diagonal(i, j), r.H.At(i-1, j)-gap)
}

// tilt adds the cost of a gap of j letters to element j. Among tilted elements, the best
// start of a gap is simply the largest element to the left. Tilting with -gap undoes it.
func tilt(score int32, j int, gap int32) int32 { return score + int32(j)*gap }

func larger(x, y int32) int32 { return max(x, y) }

var (
	aboves = skel.NewMapWith(above)
	tilted = skel.NewZipWith(tilt)
	prefix = skel.NewScan(larger, never)
)

// end

// Scores computes the matrix of Needleman and Wunsch with linear gap costs. Element (i, j)
// is the best score of the first i letters of a and the first j letters of b. The letters
// are codes, which index the rows and columns of scores. Each letter of a gap costs gap.
func Scores(a, b *vector.Vector[byte], scores *matrix.Matrix[int32], gap int32) (*matrix.Matrix[int32], error) {
	t := newTable(a, b, scores, gap)
	// show rows
	return t.byRows(func() (*vector.Vector[int32], error) {
		up := tilted.With(gap).Apply(aboves.With(t.row).Apply(t.columns), t.columns)
		return tilted.With(-gap).Apply(prefix.Inclusive(up), t.columns), nil
	})
	// end
}

// never is below every score. It is half of the least int32, so that subtracting costs
// from it does not overflow.
const never = math.MinInt32 / 2

// diagonal returns the best score of element (i, j) among alignments whose last two letters
// face each other.
func (r row) diagonal(i, j int) int32 {
	p := r.Pair
	return r.H.At(i-1, j-1) + p.Scores.At(int(p.A.At(i-1)), int(p.B.At(j-1)))
}

// table is a matrix of scores that is computed row by row.
type table struct {
	h       *matrix.Matrix[int32]
	i       *vector.Scalar[int]
	columns vector.IndexVector
	row     row
}

// newTable returns a table on the device of a, with zeros as elements.
func newTable(a, b *vector.Vector[byte], scores *matrix.Matrix[int32], gap int32) *table {
	where := vector.Single(a.Device())
	t := &table{
		h:       matrix.New[int32](a.Len()+1, b.Len()+1, where),
		i:       vector.NewScalar(0, where),
		columns: vector.Indices(b.Len()+1, where),
	}
	t.row = row{t.i.View(), t.h.View(), pair{a.View(), b.View(), scores.View(), gap}}
	return t
}

// output holds the number of a row and the matrix to write it to.
type output struct {
	I vector.View[int]
	H matrix.OutView[int32]
}

func write(j int, score int32, out output) { out.H.Set(out.I.At(0), j, score) }
func next(i int) int                       { return i + 1 }

var (
	writes = skel.NewZipVoidWith(write)
	nexts  = skel.NewMap(next)
)

// byRows records the computation of one row, and replays it for each row of the table.
func (t *table) byRows(scores func() (*vector.Vector[int32], error)) (*matrix.Matrix[int32], error) {
	defer t.i.Free()
	// show record
	loop, err := skel.Record(func() error {
		h, err := scores()
		if err != nil {
			return err
		}
		if err := writes.With(output{t.row.I, t.h.OutView()}).Apply(t.columns, h); err != nil {
			return err
		}
		return nexts.ApplyTo(t.i.Vector(), t.i.Vector())
	})
	if err == nil {
		err = errors.Join(loop.Run(t.h.Rows()), loop.Close())
	}
	// end
	if err != nil {
		t.h.Free()
		return nil, fmt.Errorf("alignment: %w", err)
	}
	return t.h, nil
}

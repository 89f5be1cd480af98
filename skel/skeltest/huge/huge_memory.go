package huge

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// memory runs skeletons on vectors of h.n elements.
func (h huge) memory(t *testing.T) {
	x := h.bytes()
	kit.OK(t, x.Wait())
	defer func() { x.Free() }()
	t.Run("Map", func(t *testing.T) { h.same(t, x) })
	t.Run("Zip", func(t *testing.T) {
		y := sumsOfBytes.Apply(x, h.bytes())
		kit.OK(t, y.Wait())
		defer y.Free()
		for _, i := range h.places() {
			expectAt(t, y, i, 2*byteAt(i))
		}
		// In place, with two vectors: 3 byteAt(i) - 2 byteAt(i).
		kit.OK(t, mixesOfBytes.ApplyTo(y, x, y))
		h.same(t, y)
	})
	t.Run("Reduce", func(t *testing.T) {
		kit.ExpectValue(t, totalBytes.Apply(x), h.sum(0, h.n))
		kit.ExpectValue(t, totalSigned.Apply(signedByteAts.Apply(h.index())), int8(h.sum(0, h.n)))
	})
	t.Run("Scan", func(t *testing.T) {
		h.scans(t, prefixBytes.Inclusive(x), 1)
		h.scans(t, prefixBytes.Exclusive(x), 0)
		h.scans(t, prefixBytes.Inclusive(h.bytes()), 1)
		h.scans(t, prefixBytes.Exclusive(h.bytes()), 0)
		y := x.Clone()
		kit.OK(t, prefixBytes.InclusiveTo(y, y))
		h.scans(t, y, 1)
	})
	t.Run("Segments", func(t *testing.T) { h.segments(t, x) })
	t.Run("Matrix", func(t *testing.T) { h.matrices(t, x) })
	t.Run("ByKey", func(t *testing.T) {
		keys := hugeKeys.Apply(h.index())
		var want []uint8
		for lo := 0; lo < h.n; lo += 1 << 30 {
			want = append(want, h.sum(lo, min(lo+1<<30, h.n)))
		}
		kit.Expect(t, totalBytes.ByKey(x, keys, len(want)), want)
	})
	t.Run("Sort", func(t *testing.T) { h.sorts(t, x) })
	t.Run("Select", func(t *testing.T) { h.selects(t, x) })
	t.Run("Move", func(t *testing.T) { h.moves(t, x) })
	t.Run("Views", func(t *testing.T) {
		y := vector.New[uint8](h.n, h.on)
		defer y.Free()
		kit.OK(t, turnsRound.With(turning{x.View(), y.OutView()}).Apply(h.index()))
		expectAt(t, y, 0, byteAt(h.n-1))
		kit.ExpectValue(t, kit.SumsInt.Apply(turnedsUnlike.With(y.View()).Apply(h.index())), 0)
	})
	t.Run("Transfers", func(t *testing.T) {
		const some = 1000
		y := x.Clone()
		defer y.Free()
		h.same(t, y)
		end, err := y.HostRange(h.n-some, h.n)
		kit.OK(t, err)
		for k, b := range end {
			if i := h.n - some + k; b != byteAt(i) {
				t.Fatalf("element %d = %d, want %d", i, b, byteAt(i))
			}
		}
		end = slices.Clone(end)
		kit.OK(t, y.Write(h.n-some, make([]uint8, some)))
		expectAt(t, y, h.n-1, 0)
		expectAt(t, y, h.n-some-1, byteAt(h.n-some-1))
		kit.OK(t, y.Write(h.n-some, end))
		h.same(t, y)
	})
}

// places returns the first and last indices, and those around 2^31 and 2^32.
func (h huge) places() (at []int) {
	for _, i := range []int{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, h.n - 1} {
		if i < h.n {
			at = append(at, i)
		}
	}
	return at
}

// expectAt checks one element.
func expectAt(t *testing.T, x *vector.Vector[uint8], i int, want uint8) {
	t.Helper()
	got, err := x.At(i)
	kit.OK(t, err)
	if got != want {
		t.Errorf("element %d = %d, want %d", i, got, want)
	}
}

// same checks on the device that element i of x is byteAt(i).
func (h huge) same(t *testing.T, x *vector.Vector[uint8]) {
	t.Helper()
	for _, i := range h.places() {
		expectAt(t, x, i, byteAt(i))
	}
	kit.ExpectValue(t, kit.SumsInt.Apply(unlikes.Apply(x, h.bytes())), 0)
}

// scans checks on the device that y is a scan of the bytes, inclusive if past is 1 and exclusive if it
// is 0, of segments that begin at cuts. It frees y.
func (h huge) scans(t *testing.T, y *vector.Vector[uint8], past int, cuts ...int) {
	t.Helper()
	defer y.Free()
	kit.OK(t, y.Err())
	at := kit.Put(t, h.d, append(cuts, 0)[:max(1, len(cuts))])
	for _, i := range h.places() {
		start := 0
		for _, c := range cuts {
			if c <= i {
				start = c
			}
		}
		expectAt(t, y, i, h.sum(start, i+past))
	}
	kit.ExpectValue(t, kit.SumsInt.Apply(prefixesUnlike.With(sumsAt{y.View(), at.View(), past}).Apply(h.index())), 0)
}

func (h huge) segments(t *testing.T, x *vector.Vector[uint8]) {
	cuts := []int{0, 3, h.n/2 + 5, h.n/2 + 5, h.n - 2, h.n}
	var want []uint8
	for s := range len(cuts) - 1 {
		want = append(want, h.sum(cuts[s], cuts[s+1]))
	}
	offsets := kit.Put(t, h.d, cuts)
	kit.Expect(t, totalBytes.Segments(x, offsets), want)
	kit.Expect(t, totalBytes.Segments(h.bytes(), offsets), want)
	h.scans(t, prefixBytes.InclusiveSegments(x, offsets), 1, cuts...)
	h.scans(t, prefixBytes.ExclusiveSegments(x, offsets), 0, cuts...)
}

// matrices reduces rows and columns: a few long ones, many short ones, and more than 2^31 of them.
func (h huge) matrices(t *testing.T, x *vector.Vector[uint8]) {
	few := func(rows, cols int) {
		var want []uint8
		for r := range rows {
			want = append(want, h.sum(r*cols, (r+1)*cols))
		}
		kit.Expect(t, totalBytes.Rows(matrix.Of(x, rows, cols)), want)
	}
	few(h.rows, h.cols)
	sums := totalBytes.Rows(matrix.Of(x, h.cols, h.rows))
	unlike := rowSumsUnlike.With(rowSums{sums.View(), h.rows}).Apply(vector.Indices(h.cols, h.on))
	kit.ExpectValue(t, kit.SumsInt.Apply(unlike), 0)
	sums.Free()

	tall := rowBytes.ApplyMatrix(matrix.Indices(h.n, 2, h.on))
	sums = totalBytes.Rows(tall)
	expectAt(t, sums, h.n-1, uint8((h.n-1)>>4*2+1))
	kit.ExpectValue(t, kit.SumsInt.Apply(rowBytesUnlike.With(sums.View()).Apply(h.index())), 0)
	sums.Free()
	tall = rowBytes.ApplyMatrix(matrix.Indices(h.n, 2, h.on))
	down := uint8(sumOfShifts(h.n, 4))
	kit.Expect(t, totalBytes.Cols(tall), []uint8{down, down + uint8(h.n&0xff)})
}

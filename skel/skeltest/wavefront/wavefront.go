package wavefront

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

// letters holds two sequences, and the scores of pairs of their letters.
type letters struct {
	A, B  vector.View[int8]
	Worth vector.View[int32]
	Gap   int32
}

// aligned is the cell of a global alignment with linear gap penalties.
func aligned(nw, n, w int32, i, j int, s letters) int32 {
	return max(nw+s.Worth.At(int(s.A.At(i))*4+int(s.B.At(j))), n-s.Gap, w-s.Gap)
}

func alignedEdge(t, i, j int, s letters) int32 { return -int32(i+j+2)*s.Gap - int32(t) }

// bandEdge is the edge of tables that continue each other; bandOnto continues one.
func bandEdge(t, i, j int, s letters) int32 { return alignedEdge(70*t, i, j, s) }

func bandOnto(t, j int, above int32, _ letters) int32 { return above + int32((t+j)%3) }

func letterA(_, i int, s letters) int8 { return s.A.At(i) }
func letterB(_, j int, s letters) int8 { return s.B.At(j) }

func matched(nw, n, w int32, a, b int8, s letters) int32 {
	return max(nw+s.Worth.At(int(a)*4+int(b)), n-s.Gap, w-s.Gap)
}

// noted holds letters and an out-view to which cells write. Begin has, for each table, where
// its cells begin in Out, row by row, its first row and column, and its number of columns.
type noted struct {
	S     letters
	Begin vector.View[int64]
	Out   vector.OutView[int32]
}

// line is a row or a column of a table.
type line struct {
	Letter int8
	At     int64
}

func lineA(t, i int, x noted) line {
	return line{x.S.A.At(i), x.Begin.At(4*t) + (int64(i)-x.Begin.At(4*t+1))*x.Begin.At(4*t+3)}
}

func lineB(t, j int, x noted) line { return line{x.S.B.At(j), int64(j) - x.Begin.At(4*t+2)} }

func note(nw, n, w int32, a, b line, x noted) int32 {
	h := matched(nw, n, w, a.Letter, b.Letter, x.S)
	if b.At%3 != 1 {
		x.Out.Set(int(a.At+b.At), h)
	}
	return h
}

func noteEdge(t, i, j int, x noted) int32 { return alignedEdge(t, i, j, x.S) }

var (
	noting    = skel.NewWavefrontOfWith(lineA, lineB, note, noteEdge)
	matches   = skel.NewWavefrontOfWith(letterA, letterB, matched, alignedEdge)
	bands     = skel.NewWavefrontOfWith(letterA, letterB, matched, bandEdge).Onto(bandOnto)
	alignment = skel.NewWavefrontWith(aligned, alignedEdge)
)

// tilted and tiltedEdge take no extra argument, nor does what is above a table.
func tilted(nw, n, w int32, i, j int) int32 { return nw - 2*n + 3*w + int32(i-j) }

func tiltedEdge(t, i, j int) int32 { return int32(100*t + i - 2*j) }

func sameAbove(_, _ int, above int32) int32 { return above }

var (
	tilts     = skel.NewWavefront(tilted, tiltedEdge)
	tiltsOnto = tilts.Onto(sameAbove)
)

// filled computes a table by definition. It returns all elements, the last row and the last column.
func filled[C any](
	number int, t skel.Table, cell func(nw, n, w C, i, j int) C, edge func(t, i, j int) C,
) (all, bottom, right []C) {
	at := make([][]C, t.Rows+1) // row 0 and column 0 are the edge
	for i := range at {
		at[i] = make([]C, t.Cols+1)
		for j := range at[i] {
			if i == 0 || j == 0 {
				at[i][j] = edge(number, i-1, j-1)
				continue
			}
			r, c := t.Row+i-1, t.Col+j-1
			if t.Backward {
				r, c = t.Row+t.Rows-i, t.Col+t.Cols-j
			}
			at[i][j] = cell(at[i-1][j-1], at[i-1][j], at[i][j-1], r, c)
		}
		if i > 0 {
			all = append(all, at[i][1:]...)
			right = append(right, at[i][t.Cols])
		}
	}
	return all, at[t.Rows][1:], right
}

func testWavefront(t *testing.T, d *devices.Device) {
	kit.SkipBuilds(t, d)
	rng := rand.New(rand.NewPCG(5, 16))
	const longest = 2100
	a, b := make([]int8, 4*longest+100), make([]int8, 4*longest+100)
	for i := range a {
		a[i], b[i] = int8(rng.IntN(4)), int8(rng.IntN(4))
	}
	worth := make([]int32, 16)
	for i := range worth {
		worth[i] = rng.Int32N(12) - 4
	}
	s := letters{kit.Put(t, d, a).View(), kit.Put(t, d, b).View(), kit.Put(t, d, worth).View(), 3}
	cell := func(nw, n, w int32, i, j int) int32 { return max(nw+worth[int(a[i])*4+int(b[j])], n-3, w-3) }
	edge := func(t, i, j int) int32 { return alignedEdge(t, i, j, letters{Gap: 3}) }

	for _, size := range [][2]int{{0, 0}, {0, 5}, {7, 0}, {1, 1}, {1, 700}, {600, 1}, {255, 513}, {256, 512},
		{257, 511}, {1030, 40}, {33, 1100}, {2100, 1300}, {8500, 45}} {
		rows, cols := size[0], size[1]
		all, bottom, right := filled(0, skel.Table{Rows: rows, Cols: cols}, cell, edge)
		t.Run(fmt.Sprintf("%d x %d", rows, cols), func(t *testing.T) {
			kit.ExpectMatrix(t, alignment.With(s).Apply(rows, cols), rows, cols, all)
			kit.ExpectMatrix(t, matches.With(s).Apply(rows, cols), rows, cols, all)
			below, beside := matches.With(s).Ends([]skel.Table{{Rows: rows, Cols: cols}})
			kit.Expect(t, below, bottom)
			kit.Expect(t, beside, right)
		})
	}
	t.Run("without an extra argument", func(t *testing.T) {
		whole := skel.Table{Rows: 70, Cols: 90}
		all, _, _ := filled(0, whole, tilted, tiltedEdge)
		kit.ExpectMatrix(t, tilts.Apply(70, 90), 70, 90, all)
		top, bottom := skel.Table{Rows: 30, Cols: 90}, skel.Table{Row: 30, Rows: 40, Cols: 90, Below: 1}
		first, last, _ := filled(0, top, tilted, tiltedEdge)
		second, _, _ := filled(1, bottom, tilted, func(t, i, j int) int32 {
			if i == -1 && j >= 0 {
				return last[j]
			}
			return tiltedEdge(t, i, j)
		})
		kit.Expect(t, tiltsOnto.ApplyTables([]skel.Table{top, bottom}), append(first, second...))
	})
	t.Run("many tables", func(t *testing.T) {
		var tables []skel.Table
		for range 60 {
			rows, cols := rng.IntN(300), rng.IntN(700)
			tables = append(tables, skel.Table{
				Row: rng.IntN(longest - rows), Col: rng.IntN(longest - cols), Rows: rows, Cols: cols,
				Backward: rng.IntN(2) == 0,
			})
		}
		var all, bottom, right []int32
		for k, table := range tables {
			x, y, z := filled(k, table, cell, edge)
			all, bottom, right = append(all, x...), append(bottom, y...), append(right, z...)
		}
		kit.Expect(t, alignment.With(s).ApplyTables(tables), all)
		below, beside := alignment.With(s).Ends(tables)
		kit.Expect(t, below, bottom)
		kit.Expect(t, beside, right)
		kit.Expect(t, matches.With(s).ApplyTables(tables), all)
		below, beside = alignment.With(s).Ends(nil)
		kit.Expect(t, below, nil)
		kit.Expect(t, beside, nil)
	})
	t.Run("cells that write", func(t *testing.T) {
		var tables []skel.Table
		var begin []int64
		var want, bottom, right []int32
		for k := range 20 {
			rows, cols := rng.IntN(300), rng.IntN(400)
			table := skel.Table{Row: rng.IntN(longest - rows), Col: rng.IntN(longest - cols), Rows: rows, Cols: cols,
				Backward: k == 7}
			tables = append(tables, table)
			begin = append(begin, int64(len(want)), int64(table.Row), int64(table.Col), int64(cols))
			all, below, beside := filled(k, table, cell, edge)
			if table.Backward {
				slices.Reverse(all)
			}
			for i := range all {
				if cols > 0 && i%cols%3 == 1 {
					all[i] = -1
				}
			}
			want, bottom, right = append(want, all...), append(bottom, below...), append(right, beside...)
		}
		before := make([]int32, len(want))
		for i := range before {
			before[i] = -1
		}
		out := kit.Put(t, d, before)
		below, beside := noting.With(noted{s, kit.Put(t, d, begin).View(), out.OutView()}).Ends(tables)
		kit.Expect(t, below, bottom)
		kit.Expect(t, beside, right)
		kit.Expect(t, out, want)
	})
	t.Run("in bands", func(t *testing.T) {
		rows := [][]int{{70, 70, 70, 30}, {300}, {256, 1, 600}, {512, 512, 100}}
		cols := []int{90, 1, 700, 530}
		var tables []skel.Table
		var all, bottom, right []int32
		for k, heights := range rows {
			row, col := 100*k, 50*k
			for b, height := range heights {
				table := skel.Table{Row: row, Col: col, Rows: height, Cols: cols[k]}
				number, last := len(tables), []int32(nil)
				if b > 0 {
					table.Below = number
					last = bottom[len(bottom)-cols[k]:]
				}
				x, y, z := filled(number, table, cell, func(t, i, j int) int32 {
					if i < 0 && j >= 0 && last != nil {
						return bandOnto(t, j, last[j], s)
					}
					return bandEdge(t, i, j, s)
				})
				all, bottom, right = append(all, x...), append(bottom, y...), append(right, z...)
				tables = append(tables, table)
				row += height
			}
		}
		kit.Expect(t, bands.With(s).ApplyTables(tables), all)
		below, beside := bands.With(s).Ends(tables)
		kit.Expect(t, below, bottom)
		kit.Expect(t, beside, right)
	})
	t.Run("watched", func(t *testing.T) {
		tables := []skel.Table{{Rows: 600, Cols: 1300}, {Rows: 0, Cols: 9}, {Rows: 70, Cols: 20}}
		total := 0
		_, bottom, _ := filled(0, tables[0], cell, edge)
		below, _ := matches.With(s).Watched(func(n int) error { total += n; return nil }).Ends(tables[:1])
		kit.Expect(t, below, bottom)
		if total != 600*1300 && (total > 0 || d.Kind() == driver.CPU) {
			t.Errorf("Watched reports %d elements, want %d", total, 600*1300)
		}
		total = 0
		stop := errors.New("enough")
		below, beside := matches.With(s).Watched(func(n int) error { total += n; return stop }).Ends(tables)
		for _, v := range []*vector.Vector[int32]{below, beside} {
			if err := v.Wait(); !errors.Is(err, stop) && total > 0 {
				t.Errorf("after %d elements: error %v, want %q", total, err, stop)
			}
		}
		if total != 600*1300+70*20 && (total > 0 || d.Kind() == driver.CPU) {
			t.Errorf("Watched reports %d elements, want %d", total, 600*1300+70*20)
		}
	})
	t.Run("tables that cannot continue others", func(t *testing.T) {
		one, two := skel.Table{Rows: 3, Cols: 5}, skel.Table{Rows: 2, Cols: 5, Below: 1}
		for want, c := range kit.Ordered(map[string]struct {
			w      *skel.WavefrontWith[int32, letters]
			tables []skel.Table
		}{
			"no function for this: use Onto":                {matches, []skel.Table{one, two}},
			"Below is 1, but must be":                       {bands, []skel.Table{two}},
			"Below is 2, but must be":                       {bands, []skel.Table{one, {Rows: 1, Cols: 5, Below: 2}}},
			"2 x 4, cannot continue table number 1":         {bands, []skel.Table{one, {Rows: 2, Cols: 4, Below: 1}}},
			"cannot continue table number 1 (Below), 0 x 5": {bands, []skel.Table{{Cols: 5}, two}},
			"two tables continue table number 1":            {bands, []skel.Table{one, two, two}},
		}) {
			func() {
				defer func() {
					if p := fmt.Sprint(recover()); !strings.Contains(p, want) {
						t.Errorf("%v: panic %q, want one with %q", c.tables, p, want)
					}
				}()
				c.w.With(s).Ends(c.tables)
			}()
		}
	})
	t.Run("of structs", func(t *testing.T) {
		by := kit.Put(t, d, []int64{11}).View()
		all, bottom, right := filled(0, skel.Table{Rows: 300, Cols: 530},
			func(nw, n, w kit.Path, i, j int) kit.Path { return kit.Cheaper(nw, n, w, i, j, 11) },
			func(t, i, j int) kit.Path { return kit.Path{Cost: int64(i+j+2) * 11 / 2} })
		kit.ExpectMatrix(t, kit.Paths.With(by).Apply(300, 530), 300, 530, all)
		below, beside := kit.Paths.With(by).Ends([]skel.Table{{Rows: 300, Cols: 530}})
		kit.Expect(t, below, bottom)
		kit.Expect(t, beside, right)
	})
	t.Run("recorded", func(t *testing.T) {
		v := kit.Put(t, d, append([]int8(nil), a[:300]...))
		again := s
		again.A = v.View()
		out := kit.Put(t, d, make([]int32, 300*200))
		l := kit.Record(t, func() error { return out.CopyFrom(matches.With(again).Apply(300, 200).Vector()) })
		kit.OK(t, l.Run(2))
		all, _, _ := filled(0, skel.Table{Rows: 300, Cols: 200}, cell, edge)
		kit.Expect(t, out, all)
	})
	t.Run("errors", func(t *testing.T) {
		bad := s
		bad.Gap = 0
		bad.A = vector.View[int8]{}
		below, _ := alignment.With(bad).Ends([]skel.Table{{Rows: 2, Cols: 2}})
		if err := below.Wait(); err == nil || !strings.Contains(err.Error(), "view wavefront.letters.A is empty") {
			t.Errorf("error %v for an empty view, want one that names view wavefront.letters.A", err)
		}
		defer func() {
			if p := fmt.Sprint(recover()); !strings.Contains(p, "the size of table 0, -1 x 3, is negative") {
				t.Errorf("panic %q for a table of -1 rows, want one that names the table and its shape", p)
			}
		}()
		alignment.With(s).Apply(-1, 3)
	})
}

package nw

import (
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/rodinia"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// golden is what other programs found, parasail and Biopython among them, with
// BLOSUM62.
type golden struct {
	data              func(n int) seq.Pair
	n                 int
	last, before, sum int // linear: H[n][n], H[n-1][n-1], all of the (n+1) x (n+1) elements
	affine            int32
	semiGlobal, local int32
}

var goldens = []golden{
	{rodinia.Sequences, 16, -10, -11, -14945, -5, 22, 24},
	{rodinia.Sequences, 256, -27, -33, -44692108, 104, 130, 133},
	{rodinia.Interleaved, 16, -31, -28, -15042, -15, 16, 18},
	{rodinia.Interleaved, 256, -60, -57, -44429186, 69, 106, 114},
}

func blosum62(t testing.TB) *subst.Matrix {
	t.Helper()
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestGoldens(t *testing.T) {
	const gap = 10
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for _, g := range goldens {
			pair := g.data(g.n)
			p := problem{pair.A.Letters, pair.B.Letters, blosum62(t)}
			name := pair.A.Comment
			u := p.to(t, d)
			defer u.free()

			sum := func(h []int32) (sum int) {
				for _, v := range h {
					sum += int(v)
				}
				return sum
			}
			h := host(t, Scores(u.a, u.b, u.worth, gap), nil)
			last, before := int(h[g.n*g.n-1]), int(h[(g.n-1)*g.n-2])
			all := sum(h) - gap*g.n*(g.n+1) // with the first row and column
			if last != g.last || before != g.before || all != g.sum {
				t.Errorf("%s: wavefront form: %d, %d, sum %d; want %d, %d, %d", name, last, before, all, g.last, g.before, g.sum)
			}
			scan, err := ScoresByScan(u.a, u.b, u.worth, gap)
			if all := sum(host(t, scan, err)); all != g.sum {
				t.Errorf("%s: scan form: sum %d, want %d", name, all, g.sum)
			}
			for mode, want := range map[align.Mode]int32{align.Global: g.affine, align.SemiGlobal: g.semiGlobal, align.Local: g.local} {
				s := align.Scoring{Matrix: p.worth, Open: 11, Extend: 1, Mode: mode, Free: align.AllEnds}
				h, err := AffineByScan(u.a, u.b, s)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := Score(h, s); err != nil || got != want {
					t.Errorf("%s: %s: %d, %v, want %d", name, mode, got, err, want)
				}
				h.Free()
			}
		}
	})
}

// TestGoldenPath has the counts of the traceback of Rodinia's data.
func TestGoldenPath(t *testing.T) {
	pair := rodinia.Sequences(256)
	p := problem{pair.A.Letters, pair.B.Letters, blosum62(t)}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		u := p.to(t, d)
		defer u.free()
		path := Path(host(t, Scores(u.a, u.b, u.worth, 10), nil), p.a, p.b, p.worth.Score, 10)
		inA, inB := path.Length()-path.LenA(), path.Length()-path.LenB()
		if path.Length() != 266 || path.Identity() != 57 || path.Length()-path.Gaps() != 246 || inA != 10 || inB != 10 {
			t.Errorf("%d columns, %d identical, gaps of %d and %d letters: %s", path.Length(), path.Identity(), inA, inB, path)
		}
	})
}

// TestPaper has the example of the papers on SkelCL.
func TestPaper(t *testing.T) {
	p := problem{[]byte("SYEDVV"), []byte("NYCDV"), blosum62(t)}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		u := p.to(t, d)
		defer u.free()
		scan, err := ScoresByScan(u.a, u.b, u.worth, 3)
		h := host(t, scan, err)
		if h[len(h)-1] != 11 {
			t.Errorf("score %d, want 11", h[len(h)-1])
		}
		if n := p.count(h, 3, len(p.a), len(p.b)); n != 2 {
			t.Errorf("%d alignments have this score, want 2", n)
		}
		in := host(t, Scores(u.a, u.b, u.worth, 3), nil)
		if !slices.Equal(p.inner(h), in) {
			t.Errorf("wavefront form: %v, scan form: %v", in, p.inner(h))
		}
		if path := Path(in, p.a, p.b, p.worth.Score, 3).String(); path != "1X1=1X1D1X1=" && path != "1X1=1X1=1D1=" {
			t.Errorf("path %s", path)
		}
		s := align.Scoring{Matrix: p.worth, Open: 11, Extend: 1, Mode: align.Global}
		affine, err := AffineByScan(u.a, u.b, s)
		if h := host(t, affine, err); h[len(h)-1] != 3 {
			t.Errorf("affine: score %d, want 3", h[len(h)-1])
		}
	})
}

// count is the number of alignments of i and j letters with the best score.
func (p problem) count(h []int32, gap int32, i, j int) int {
	if i == 0 || j == 0 {
		return 1
	}
	wide, n := len(p.b)+1, 0
	at := i*wide + j
	if h[at] == h[at-wide-1]+int32(p.worth.Score(p.a[i-1], p.b[j-1])) {
		n += p.count(h, gap, i-1, j-1)
	}
	if h[at] == h[at-wide]-gap {
		n += p.count(h, gap, i-1, j)
	}
	if h[at] == h[at-1]-gap {
		n += p.count(h, gap, i, j-1)
	}
	return n
}

package plain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/docs/tour/alignment"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// problem is two sequences and the scores of their letters.
type problem struct {
	a, b   []byte
	scores *subst.Matrix
}

const proteins = "ARNDCQEGHILKMFPSTWYV"

// random returns a problem with m and n letters, with scores that are not symmetric.
func random(t testing.TB, m, n int) problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	letters := func(n int) []byte {
		s := make([]byte, n)
		for i := range s {
			s[i] = proteins[r.IntN(len(proteins))]
		}
		return s
	}
	text := strings.Join(strings.Split(proteins, ""), " ") + "\n"
	for i := range proteins {
		text += proteins[i : i+1]
		for j := range proteins {
			score := r.IntN(10) - 6
			if i == j {
				score = 3 + r.IntN(8)
			}
			text += fmt.Sprint(" ", score)
		}
		text += "\n"
	}
	scores, err := subst.Parse(strings.NewReader(text), "random")
	if err != nil {
		t.Fatal(err)
	}
	return problem{letters(m), letters(n), scores}
}

// uploaded is a problem on a device.
type uploaded struct {
	a, b   *vector.Vector[byte]
	scores *matrix.Matrix[int32]
}

func (p problem) to(t testing.TB, d *devices.Device) uploaded {
	t.Helper()
	codes := func(letters []byte) *vector.Vector[byte] {
		c, err := p.scores.Encode(letters, 0)
		if err != nil {
			t.Fatal(err)
		}
		return vector.From(c, vector.Single(d))
	}
	size := p.scores.Size()
	return uploaded{codes(p.a), codes(p.b), matrix.From(size, size, p.scores.Table(), vector.Single(d))}
}

func (u uploaded) free() {
	u.a.Free()
	u.b.Free()
	u.scores.Free()
}

// plain computes the matrix as in a textbook, element by element, with a row and a column of
// gaps.
func (p problem) plain(gap int32) []int32 {
	wide := len(p.b) + 1
	h := make([]int32, (len(p.a)+1)*wide)
	for i := range len(p.a) + 1 {
		for j := range wide {
			if i == 0 || j == 0 {
				h[i*wide+j] = -gap * int32(i+j)
				continue
			}
			face := h[(i-1)*wide+j-1] + int32(p.scores.Score(p.a[i-1], p.b[j-1]))
			h[i*wide+j] = max(face, h[(i-1)*wide+j]-gap, h[i*wide+j-1]-gap)
		}
	}
	return h
}

// inner returns the matrix without the row and the column of gaps.
func (p problem) inner(h []int32) []int32 {
	wide := len(p.b) + 1
	in := []int32{}
	for i := 1; i <= len(p.a); i++ {
		in = append(in, h[i*wide+1:(i+1)*wide]...)
	}
	return in
}

// host copies a matrix to host memory and frees it.
func host(t testing.TB, h *matrix.Matrix[int32], err error) []int32 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	all, err := h.Host()
	if err != nil {
		t.Fatal(err)
	}
	all = append([]int32{}, all...)
	h.Free()
	return all
}

// sizes are numbers of letters: few, around the size of a tile, powers of two.
var sizes = [][2]int{
	{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 16}, {17, 1}, {15, 17}, {16, 16}, {17, 15}, {16, 257},
	{255, 256}, {256, 256}, {257, 255}, {257, 257}, {512, 1}, {512, 512}, {1024, 16}, {1024, 1024},
}

// TestFormsAgree compares the wavefront, the scans of rows of docs/tour/alignment and two
// loops, and the score of the path with the last element.
func TestFormsAgree(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for k, size := range sizes {
			if testing.Short() && size[0]*size[1] > 1<<17 {
				continue
			}
			gap := int32(k % 4 * 3) // sometimes 0
			p := random(t, size[0], size[1])
			u := p.to(t, d)
			want := p.plain(gap)
			h, err := alignment.Scores(u.a, u.b, u.scores, gap)
			if got := host(t, h, err); !slices.Equal(want, got) {
				t.Errorf("%v: scan form: %s", size, cmp.Diff(want, got))
			}
			got := host(t, Scores(u.a, u.b, u.scores, gap), nil)
			if !slices.Equal(p.inner(want), got) {
				t.Errorf("%v: wavefront form: %s", size, cmp.Diff(p.inner(want), got))
			}
			u.free()
			p.checkPath(t, Path(got, p.a, p.b, p.scores.Score, gap), want, gap)
		}
	})
}

// checkPath compares the score of a path with that of the matrix, and checks the preferred
// moves.
func (p problem) checkPath(t *testing.T, path align.Cigar, h []int32, gap int32) {
	t.Helper()
	pair := seq.Pair{A: &seq.Record{Name: "a", Letters: p.a}, B: &seq.Record{Name: "b", Letters: p.b}}
	score := align.Scoring{Matrix: p.scores, Open: int(gap), Extend: int(gap), Mode: align.Global}
	got, err := align.New(pair, 0, path).Rescore(score)
	if last := h[len(h)-1]; err != nil || got != int64(last) {
		t.Errorf("%d and %d letters: the path has the score %d, the matrix %d; %v", len(p.a), len(p.b), got, last, err)
	}
	i, j, wide := len(p.a), len(p.b), len(p.b)+1
	for _, step := range slices.Backward(path) {
		for range step.N {
			face := i > 0 && j > 0 && h[i*wide+j] == h[(i-1)*wide+j-1]+int32(p.scores.Score(p.a[i-1], p.b[j-1]))
			up := i > 0 && h[i*wide+j] == h[(i-1)*wide+j]-gap
			switch {
			case face && step.Op != align.Match && step.Op != align.Mismatch, !face && up && step.Op != align.Delete:
				t.Fatalf("at (%d, %d) the path is %c", i, j, step.Op)
			}
			if step.Op != align.Insert {
				i--
			}
			if step.Op != align.Delete {
				j--
			}
		}
	}
}

// golden is results of other programs, among them parasail and Biopython, with BLOSUM62.
type golden struct {
	data              func(n int) seq.Pair
	n                 int
	last, before, sum int // linear: H[n][n], H[n-1][n-1], all of the (n+1) x (n+1) elements
	affine            int32
	semiGlobal, local int32
}

var goldens = []golden{
	{seq.Rodinia, 16, -10, -11, -14945, -5, 22, 24},
	{seq.Rodinia, 256, -27, -33, -44692108, 104, 130, 133},
	{seq.RodiniaInterleaved, 16, -31, -28, -15042, -15, 16, 18},
	{seq.RodiniaInterleaved, 256, -60, -57, -44429186, 69, 106, 114},
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
			h := host(t, Scores(u.a, u.b, u.scores, gap), nil)
			last, before := int(h[g.n*g.n-1]), int(h[(g.n-1)*g.n-2])
			all := sum(h) - gap*g.n*(g.n+1) // with the first row and column
			if last != g.last || before != g.before || all != g.sum {
				t.Errorf("%s: wavefront form: %d, %d, sum %d; want %d, %d, %d", name, last, before, all, g.last,
					g.before, g.sum)
			}
			scan, err := alignment.Scores(u.a, u.b, u.scores, gap)
			if all := sum(host(t, scan, err)); all != g.sum {
				t.Errorf("%s: scan form: sum %d, want %d", name, all, g.sum)
			}
			for mode, want := range map[align.Mode]int32{align.Global: g.affine, align.SemiGlobal: g.semiGlobal,
				align.Local: g.local} {
				s := align.Scoring{Matrix: p.scores, Open: 11, Extend: 1, Mode: mode, Free: align.AllEnds}
				h, err := alignment.AffineScores(u.a, u.b, s)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := alignment.Score(h, s); err != nil || got != want {
					t.Errorf("%s: %s: %d, %v, want %d", name, mode, got, err, want)
				}
				h.Free()
			}
		}
	})
}

// TestGoldenPath checks the counts of the traceback of Rodinia's data.
func TestGoldenPath(t *testing.T) {
	pair := seq.Rodinia(256)
	p := problem{pair.A.Letters, pair.B.Letters, blosum62(t)}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		u := p.to(t, d)
		defer u.free()
		path := Path(host(t, Scores(u.a, u.b, u.scores, 10), nil), p.a, p.b, p.scores.Score, 10)
		inA, inB := path.Length()-path.LenA(), path.Length()-path.LenB()
		if path.Length() != 266 || path.Identity() != 57 || path.Length()-path.Gaps() != 246 || inA != 10 || inB != 10 {
			t.Errorf("%d columns, %d identical, gaps of %d and %d letters: %s", path.Length(), path.Identity(),
				inA, inB, path)
		}
	})
}

// TestPaper checks the example of the papers on SkelCL.
func TestPaper(t *testing.T) {
	p := problem{[]byte("SYEDVV"), []byte("NYCDV"), blosum62(t)}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		u := p.to(t, d)
		defer u.free()
		scan, err := alignment.Scores(u.a, u.b, u.scores, 3)
		h := host(t, scan, err)
		if h[len(h)-1] != 11 {
			t.Errorf("score %d, want 11", h[len(h)-1])
		}
		if n := p.count(h, 3, len(p.a), len(p.b)); n != 2 {
			t.Errorf("%d alignments have this score, want 2", n)
		}
		in := host(t, Scores(u.a, u.b, u.scores, 3), nil)
		if !slices.Equal(p.inner(h), in) {
			t.Errorf("wavefront form: %v, scan form: %v", in, p.inner(h))
		}
		if path := Path(in, p.a, p.b, p.scores.Score, 3).String(); path != "1X1=1X1D1X1=" && path != "1X1=1X1=1D1=" {
			t.Errorf("path %s", path)
		}
		s := align.Scoring{Matrix: p.scores, Open: 11, Extend: 1, Mode: align.Global}
		affine, err := alignment.AffineScores(u.a, u.b, s)
		if h := host(t, affine, err); h[len(h)-1] != 3 {
			t.Errorf("affine: score %d, want 3", h[len(h)-1])
		}
	})
}

// count returns the number of alignments of i and j letters with the best score.
func (p problem) count(h []int32, gap int32, i, j int) int {
	if i == 0 || j == 0 {
		return 1
	}
	wide, n := len(p.b)+1, 0
	at := i*wide + j
	if h[at] == h[at-wide-1]+int32(p.scores.Score(p.a[i-1], p.b[j-1])) {
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

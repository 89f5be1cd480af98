package alignment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// problem holds two sequences and a substitution matrix.
type problem struct {
	a, b   []byte
	scores *subst.Matrix
}

const proteins = "ARNDCQEGHILKMFPSTWYV"

// random returns a problem with m and n letters whose scores are not symmetric.
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

// uploaded holds a problem on a device.
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

// sizes are pairs of lengths: small ones, some around the size of a tile, powers of two.
var sizes = [][2]int{
	{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 16}, {17, 1}, {15, 17}, {16, 16}, {17, 15}, {16, 257},
	{255, 256}, {256, 256}, {257, 255}, {257, 257}, {512, 1}, {512, 512}, {1024, 16}, {1024, 1024},
}

// expected holds a matrix and the score of the best alignment.
type expected struct {
	h     []int32
	score int32
}

// check compares a matrix with e and frees it.
func (e expected) check(t *testing.T, name string, h *matrix.Matrix[int32], err error, s align.Scoring) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	score, err := Score(h, s)
	if err != nil || score != e.score {
		t.Errorf("%s: score %d, %v, want %d", name, score, err, e.score)
	}
	if got := host(t, h, nil); !slices.Equal(e.h, got) {
		t.Errorf("%s: %s", name, cmp.Diff(e.h, got))
	}
}

// gapped computes the matrix by Gotoh's three recurrences, element by element.
func (p problem) gapped(ofA, ofB []Cost, s align.Scoring) expected {
	m, n, wide := len(p.a), len(p.b), len(p.b)+1
	h := make([]int32, (m+1)*wide)
	down, right := slices.Repeat([]int32{never}, len(h)), slices.Repeat([]int32{never}, len(h))
	free := align.Ends{}
	if s.Mode == align.SemiGlobal {
		free = s.Free
	}
	score := int32(never)
	for i := range m + 1 {
		for j := range wide {
			at := i*wide + j
			h[at] = never
			if i == 0 && j == 0 || i == 0 && free.StartB || j == 0 && free.StartA || s.Mode == align.Local {
				h[at] = 0
			}
			if i > 0 {
				down[at] = max(down[at-wide]-ofA[i-1].Extend, h[at-wide]-ofA[i-1].Open)
			}
			if j > 0 {
				right[at] = max(right[at-1]-ofB[j-1].Extend, h[at-1]-ofB[j-1].Open)
			}
			h[at] = max(h[at], down[at], right[at])
			if i > 0 && j > 0 {
				h[at] = max(h[at], h[at-wide-1]+int32(p.scores.Score(p.a[i-1], p.b[j-1])))
			}
			if i == m && j == n || i == m && free.EndB || j == n && free.EndA || s.Mode == align.Local {
				score = max(score, h[at])
			}
		}
	}
	return expected{h, score}
}

// modes calls visit with every mode and every set of free ends.
func modes(visit func(mode align.Mode, free align.Ends)) {
	visit(align.Global, align.AllEnds) // ignored in this mode
	visit(align.Local, align.AllEnds)
	for bits := range 16 {
		free := align.Ends{StartA: bits&1 != 0, EndA: bits&2 != 0, StartB: bits&4 != 0, EndB: bits&8 != 0}
		visit(align.SemiGlobal, free)
	}
}

// costs returns n random costs.
func costs(r *rand.Rand, n int) []Cost {
	c := make([]Cost, n)
	for i := range c {
		extend := int32(r.IntN(4))
		c[i] = Cost{extend + int32(r.IntN(12)), extend}
	}
	return c
}

func TestGaps(t *testing.T) {
	few := [][2]int{{1, 1}, {16, 17}, {0, 3}, {3, 0}, {0, 0}, {40, 25}}
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for k, size := range slices.Concat(few, sizes) {
			if testing.Short() && size[0]*size[1] > 1<<15 {
				continue
			}
			p := random(t, size[0], size[1])
			u := p.to(t, d)
			r := rand.New(rand.NewPCG(9, uint64(k)))
			check := func(mode align.Mode, free align.Ends) {
				s := align.Scoring{Matrix: p.scores, Extend: 1 + k%3, Mode: mode, Free: free}
				s.Open = s.Extend + k%4*3 // sometimes linear
				name := fmt.Sprintf("%v %s %s", size, mode, free)

				same := Cost{int32(s.Open), int32(s.Extend)}
				want := p.gapped(slices.Repeat([]Cost{same}, size[0]), slices.Repeat([]Cost{same}, size[1]), s)
				h, err := AffineScores(u.a, u.b, s)
				want.check(t, name+": affine", h, err, s)

				ofA, ofB := costs(r, size[0]), costs(r, size[1])
				want = p.gapped(ofA, ofB, s)
				onA, onB := vector.From(ofA, vector.Single(d)), vector.From(ofB, vector.Single(d))
				h, err = VaryingScores(u.a, u.b, onA, onB, s)
				want.check(t, name+": varying", h, err, s)
				onA.Free()
				onB.Free()
			}
			if k < len(few) {
				modes(check)
			} else {
				check(align.Global, align.Ends{})
				check(align.SemiGlobal, align.AllEnds)
				check(align.Local, align.Ends{})
			}
			u.free()
		}
	})
}

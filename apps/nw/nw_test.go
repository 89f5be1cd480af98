package nw

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
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// problem is two sequences and what a letter of one is worth against one of the other.
type problem struct {
	a, b  []byte
	worth *subst.Matrix
}

const proteins = "ARNDCQEGHILKMFPSTWYV"

// random makes a problem with m and n letters. A letter of a against one of b is not
// worth what they are the other way around.
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
	worth, err := subst.Parse(strings.NewReader(text), "random")
	if err != nil {
		t.Fatal(err)
	}
	return problem{letters(m), letters(n), worth}
}

// uploaded is a problem on a device.
type uploaded struct {
	a, b  *vector.Vector[byte]
	worth *matrix.Matrix[int32]
}

func (p problem) to(t testing.TB, d *devices.Device) uploaded {
	t.Helper()
	codes := func(letters []byte) *vector.Vector[byte] {
		c, err := p.worth.Encode(letters, 0)
		if err != nil {
			t.Fatal(err)
		}
		return vector.From(c, vector.Single(d))
	}
	size := p.worth.Size()
	return uploaded{codes(p.a), codes(p.b), matrix.From(size, size, p.worth.Table(), vector.Single(d))}
}

func (u uploaded) free() {
	u.a.Free()
	u.b.Free()
	u.worth.Free()
}

// plain is the matrix as the textbook has it, one element after the other, with a row
// and a column of gaps.
func (p problem) plain(gap int32) []int32 {
	wide := len(p.b) + 1
	h := make([]int32, (len(p.a)+1)*wide)
	for i := range len(p.a) + 1 {
		for j := range wide {
			if i == 0 || j == 0 {
				h[i*wide+j] = -gap * int32(i+j)
				continue
			}
			face := h[(i-1)*wide+j-1] + int32(p.worth.Score(p.a[i-1], p.b[j-1]))
			h[i*wide+j] = max(face, h[(i-1)*wide+j]-gap, h[i*wide+j-1]-gap)
		}
	}
	return h
}

// inner is the matrix without the row and the column of gaps.
func (p problem) inner(h []int32) []int32 {
	wide := len(p.b) + 1
	in := []int32{}
	for i := 1; i <= len(p.a); i++ {
		in = append(in, h[i*wide+1:(i+1)*wide]...)
	}
	return in
}

// host is a matrix in host memory. It is freed on the device.
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

// sizes are numbers of letters: few, about those of a tile, a power of two.
var sizes = [][2]int{
	{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 16}, {17, 1}, {15, 17}, {16, 16}, {17, 15}, {16, 257},
	{255, 256}, {256, 256}, {257, 255}, {257, 257}, {512, 1}, {512, 512}, {1024, 16}, {1024, 1024},
}

// The wavefront form, the scan form and two loops give the same elements, and the
// path has the score that the last one says.
func TestFormsAgree(t *testing.T) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		for k, size := range sizes {
			if testing.Short() && size[0]*size[1] > 1<<17 {
				continue
			}
			gap := int32(k % 4 * 3) // none sometimes
			p := random(t, size[0], size[1])
			u := p.to(t, d)
			want := p.plain(gap)
			h, err := ScoresByScan(u.a, u.b, u.worth, gap)
			if got := host(t, h, err); !slices.Equal(want, got) {
				t.Errorf("%v: scan form: %s", size, cmp.Diff(want, got))
			}
			got := host(t, Scores(u.a, u.b, u.worth, gap), nil)
			if !slices.Equal(p.inner(want), got) {
				t.Errorf("%v: wavefront form: %s", size, cmp.Diff(p.inner(want), got))
			}
			u.free()
			p.checkPath(t, Path(got, p.a, p.b, p.worth.Score, gap), want, gap)
		}
	})
}

// checkPath compares the score of a path with that of the matrix, and looks whether
// it prefers what it should.
func (p problem) checkPath(t *testing.T, path align.Cigar, h []int32, gap int32) {
	t.Helper()
	pair := seq.Pair{A: &seq.Record{Name: "a", Letters: p.a}, B: &seq.Record{Name: "b", Letters: p.b}}
	score := align.Scoring{Matrix: p.worth, Open: int(gap), Extend: int(gap), Mode: align.Global}
	got, err := align.New(pair, 0, path).Rescore(score)
	if last := h[len(h)-1]; err != nil || got != int64(last) {
		t.Errorf("%d and %d letters: the path has the score %d, the matrix %d; %v", len(p.a), len(p.b), got, last, err)
	}
	i, j, wide := len(p.a), len(p.b), len(p.b)+1
	for _, step := range slices.Backward(path) {
		for range step.N {
			face := i > 0 && j > 0 && h[i*wide+j] == h[(i-1)*wide+j-1]+int32(p.worth.Score(p.a[i-1], p.b[j-1]))
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

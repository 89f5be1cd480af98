package seq_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// TestRand compares with rand() of glibc 2.36.
func TestRand(t *testing.T) {
	for seed, want := range map[uint32][]uint32{
		7:          {1045618677, 1863967299, 1272579899, 461085871, 21961325},
		1:          {1804289383, 846930886, 1681692777, 1714636915, 1957747793},
		0:          {1804289383, 846930886, 1681692777, 1714636915, 1957747793},
		1 << 31:    {1336741213, 1210407648, 1447044896, 337392383, 82502902},
		0xffffffff: {254925627, 1205188300, 366127624, 1401405153, 76053476},
	} {
		r := seq.NewRand(seed)
		var got []uint32
		for range want {
			got = append(got, r.Next())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("srand(%d): %s", seed, diff)
		}
	}
	r := seq.NewRand(7)
	for range 9_999 {
		r.Next()
	}
	if got := r.Next(); got != 287199247 {
		t.Errorf("number 10,000 is %d", got)
	}
}

// matrix computes the matrix of the global alignment with a linear gap cost of 10, as in a
// textbook.
func matrix(p seq.Pair, score *subst.Matrix) [][]int {
	h := make([][]int, len(p.A.Letters)+1)
	for i := range h {
		h[i] = make([]int, len(p.B.Letters)+1)
		for j := range h[i] {
			switch {
			case i == 0 || j == 0:
				h[i][j] = -10 * (i + j)
			default:
				h[i][j] = max(h[i-1][j-1]+score.Score(p.A.Letters[i-1], p.B.Letters[j-1]), h[i-1][j]-10, h[i][j-1]-10)
			}
		}
	}
	return h
}

// TestRodiniaGoldens compares with the results of Rodinia's program for its own data and for
// the interleaved data.
func TestRodiniaGoldens(t *testing.T) {
	blosum, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		data              func(int) seq.Pair
		n                 int
		last, before, sum int
	}{
		{seq.Rodinia, 16, -10, -11, -14945},
		{seq.Rodinia, 256, -27, -33, -44692108},
		{seq.RodiniaInterleaved, 16, -31, -28, -15042},
		{seq.RodiniaInterleaved, 256, -60, -57, -44429186},
	} {
		p := test.data(test.n)
		h := matrix(p, blosum)
		sum := 0
		for _, row := range h {
			for _, v := range row {
				sum += v
			}
		}
		if h[test.n][test.n] != test.last || h[test.n-1][test.n-1] != test.before || sum != test.sum {
			t.Errorf("%s: %d, %d, sum %d; want %+v", p.A.Comment, h[test.n][test.n], h[test.n-1][test.n-1], sum, test)
		}
	}
}

// TestRodiniaShort checks that shorter interleaved sequences are the start of longer ones,
// because they are dealt in turn, and that both kinds have the same letters.
func TestRodiniaShort(t *testing.T) {
	short, long := seq.RodiniaInterleaved(5), seq.RodiniaInterleaved(9)
	if string(long.A.Letters[:5]) != string(short.A.Letters) || string(long.B.Letters[:5]) != string(short.B.Letters) {
		t.Errorf("%s is no start of %s", short.A.Letters, long.A.Letters)
	}
	var drawn []byte
	for i := range short.B.Letters {
		drawn = append(drawn, short.B.Letters[i], short.A.Letters[i])
	}
	if p := seq.Rodinia(5); string(p.A.Letters)+string(p.B.Letters) != string(drawn) {
		t.Errorf("%s %s, want %s", p.A.Letters, p.B.Letters, drawn)
	}
	if p := seq.Rodinia(0); len(p.A.Letters) != 0 {
		t.Error(p)
	}
}

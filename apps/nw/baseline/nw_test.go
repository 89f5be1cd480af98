package baseline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	frame "github.com/skelgo/skelgo/apps/internal/baseline"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/baseline"
	"github.com/skelgo/skelgo/apps/nw/plain"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/docs/tour/alignment"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

// input is two sequences, as letters and as codes, and the scores of letters.
type input struct {
	letters [2][]byte
	a, b    []byte
	scores  *subst.Matrix
}

func rodiniasInput(t *testing.T, n int) input {
	t.Helper()
	p := seq.Rodinia(n)
	scores, err := subst.Lookup("BLOSUM62")
	if err != nil {
		t.Fatal(err)
	}
	a, err := scores.EncodeRecord(p.A, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := scores.EncodeRecord(p.B, 0)
	if err != nil {
		t.Fatal(err)
	}
	return input{[2][]byte{p.A.Letters, p.B.Letters}, a, b, scores}
}

// raw runs the program from beginning to end.
func raw(in input, gap int32) (h []int32, path align.Cigar, err error) {
	p, err := baseline.Open(0)
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	if err := p.Build(); err != nil {
		return nil, nil, err
	}
	if err := p.Upload(in.a, in.b, in.scores.Table(), in.scores.Size(), gap); err != nil {
		return nil, nil, err
	}
	if err := p.Run(); err != nil {
		return nil, nil, err
	}
	if h, err = p.Download(); err != nil {
		return nil, nil, err
	}
	return h, p.Path(h), nil
}

// TestAgree compares the matrix with those of the plain wavefront and of the scans of rows,
// and the path with that of the plain form.
func TestAgree(t *testing.T) {
	frame.RequireOpenCL(t)
	for n, gap := range map[int]int32{16: 10, 32: 0, 48: 3, 256: 10, 1040: 7} {
		in := rodiniasInput(t, n)
		want, path, err := raw(in, gap)
		if err != nil {
			t.Fatalf("%d letters: %v", n, err)
		}
		devicestest.Each(t, func(t *testing.T, d *devices.Device) {
			where, size := vector.Single(d), in.scores.Size()
			a, b := vector.From(in.a, where), vector.From(in.b, where)
			scores := matrix.From(size, size, in.scores.Table(), where)
			defer a.Free()
			defer b.Free()
			defer scores.Free()
			byRows, err := alignment.Scores(a, b, scores, gap)
			if err != nil {
				t.Fatal(err)
			}
			defer byRows.Free()
			if got, err := byRows.Host(); err != nil || !slices.Equal(want, got) {
				t.Errorf("%d letters, scan form: %v %s", n, err, cmp.Diff(want, got))
			}
			h := plain.Scores(a, b, scores, gap)
			defer h.Free()
			all, err := h.Host()
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				row, other := all[i*n:(i+1)*n], want[(i+1)*(n+1)+1:(i+2)*(n+1)]
				if !slices.Equal(other, row) {
					t.Fatalf("%d letters, row %d: %s", n, i, cmp.Diff(other, row))
				}
			}
			if got := plain.Path(all, in.letters[0], in.letters[1], in.scores.Score, gap); !slices.Equal(got, path) {
				t.Errorf("%d letters: path %s, want %s", n, got, path)
			}
		})
	}
}

// TestGolden compares with the results of Rodinia's program for its data.
func TestGolden(t *testing.T) {
	frame.RequireOpenCL(t)
	for n, want := range map[int][2]int{16: {-10, -14945}, 256: {-27, -44692108}} {
		h, _, err := raw(rodiniasInput(t, n), 10)
		if err != nil {
			t.Fatal(err)
		}
		got := [2]int{int(h[len(h)-1])}
		for _, v := range h {
			got[1] += int(v)
		}
		if got != want {
			t.Errorf("%d letters: score and sum %v, want %v", n, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	frame.RequireOpenCL(t)
	if _, err := baseline.Open(1000); err == nil ||
		!strings.Contains(err.Error(), "no OpenCL device 1000: there are ") {
		t.Errorf("device 1000: %v", err)
	}
	p, err := baseline.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, size := range [][2]int{{0, 0}, {16, 32}, {17, 17}, {15, 15}} {
		err := p.Upload(make([]byte, size[0]), make([]byte, size[1]), []int32{1}, 1, 1)
		if err == nil || !strings.Contains(err.Error(), "they must have the same number, a multiple of 16") {
			t.Errorf("%v: %v", size, err)
		}
	}
}

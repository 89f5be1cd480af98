package baseline_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/apps/internal/baseline"
	raw "github.com/skelgo/skelgo/apps/scale/baseline"
)

// open returns a program that is built.
func open(t *testing.T) *raw.Program {
	t.Helper()
	baseline.RequireOpenCL(t)
	p, err := raw.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := p.Build(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTies(t *testing.T) {
	p := open(t)
	if err := p.Allocate(4, 2); err != nil {
		t.Fatal(err)
	}
	least, boundaries, err := p.Run([]float64{1, 1, 1, 2}, []int32{0, 1, 0, 1})
	if least != 1 || !slices.Equal(boundaries, []float64{1.5}) || err != nil {
		t.Errorf("%d errors by %v, %v", least, boundaries, err)
	}
	if _, _, err := p.Run([]float64{3, 3, 3, 3}, []int32{0, 1, 0, 1}); !errors.Is(err, raw.ErrTooFew) {
		t.Errorf("error %v", err)
	}
	if err := p.Allocate(4, 9); err == nil {
		t.Error("no error for 9 groups")
	}
}

// errorsOf counts the objects that boundaries put into a wrong group.
func errorsOf(boundaries, values []float64, groups []int32) (n int) {
	for i, v := range values {
		k, _ := slices.BinarySearch(boundaries, v)
		if int32(k) != groups[i] {
			n++
		}
	}
	return n
}

// brute tries all boundaries between distinct values.
func brute(values []float64, groups []int32, k int) int {
	distinct := slices.Compact(slices.Sorted(slices.Values(values)))
	best := len(values) + 1
	var try func(from int, boundaries []float64)
	try = func(from int, boundaries []float64) {
		if len(boundaries) == k-1 {
			best = min(best, errorsOf(boundaries, values, groups))
			return
		}
		for i := from; i+1 < len(distinct); i++ {
			try(i+1, append(boundaries, (distinct[i]+distinct[i+1])/2))
		}
	}
	try(0, nil)
	return best
}

// TestBrute compares small cases, most of them with ties, with boundaries that are tried one by one.
func TestBrute(t *testing.T) {
	p := open(t)
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		k := 2 + r.IntN(4)
		n := k + r.IntN(20)
		values, groups := make([]float64, n), make([]int32, n)
		for i := range values {
			values[i], groups[i] = float64(r.IntN(12)), int32(r.IntN(k))
			if i < k {
				values[i] = float64(i)
			}
		}
		if err := p.Allocate(n, k); err != nil {
			t.Fatal(err)
		}
		least, boundaries, err := p.Run(values, groups)
		if err != nil {
			t.Fatal(err)
		}
		want := brute(values, groups, k)
		if got := errorsOf(boundaries, values, groups); least != want || got != want || len(boundaries) != k-1 {
			t.Errorf("%d errors, and %d by %v, instead of %d: %v %v", least, got, boundaries, want, values, groups)
		}
	}
}

// TestPaper has the paper's number of objects, and more sets than a launch counts.
func TestPaper(t *testing.T) {
	const n, features = 683, 9
	for _, k := range []int{3, 4} {
		objects := n
		if k == 4 {
			objects = 320 // 5.4 million sets
		}
		x, groups := raw.Patients(objects, features, k)
		values := make([]float64, objects)
		r := rand.New(rand.NewPCG(2, 2))
		for i := range values {
			for _, v := range x[i*features : (i+1)*features] {
				values[i] += v
			}
			values[i] += 1e-6 * r.Float64() // distinct
		}
		p := open(t)
		if err := p.Allocate(objects, k); err != nil {
			t.Fatal(err)
		}
		least, boundaries, err := p.Run(values, groups)
		if err != nil {
			t.Fatal(err)
		}
		if want := byScan(values, groups, k); least != want || errorsOf(boundaries, values, groups) != want {
			t.Errorf("k = %d: %d errors by %v, want %d", k, least, boundaries, want)
		}
	}
}

// byScan returns the least number of errors by dynamic programming, for distinct values.
func byScan(values []float64, groups []int32, k int) int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if values[a] < values[b] {
			return -1
		}
		return 1
	})
	const many = 1 << 30
	best := make([]int, k) // errors if the last object is put into a group
	for g := range best {
		best[g] = many
	}
	for at, i := range order {
		for g := k - 1; g >= 0; g-- {
			before := best[g]
			if g > 0 {
				before = min(before, best[g-1])
			}
			if at == 0 && g == 0 {
				before = 0
			}
			if groups[i] != int32(g) {
				before++
			}
			best[g] = before
		}
	}
	return best[k-1]
}

// TestDescend checks that no step along a weight lowers the number of errors further.
func TestDescend(t *testing.T) {
	p := open(t)
	const n, features, k, step = 90, 4, 3, 0.25
	x, groups := raw.Patients(n, features, k)
	if err := p.Allocate(n, k); err != nil {
		t.Fatal(err)
	}
	weights, least, err := p.Descend(x, features, groups, step)
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(weights []float64) int {
		values := raw.Values(x, weights)
		return brute(values, groups, k)
	}
	if got := evaluate(weights); got != least || least >= evaluate([]float64{1, 1, 1, 1}) {
		t.Errorf("%d errors, but %v has %d", least, weights, got)
	}
	for j, w := range weights {
		for _, v := range []float64{w - step, w + step} {
			if v < -1 || v > 1 {
				continue
			}
			other := slices.Clone(weights)
			if other[j] = v; evaluate(other) < least {
				t.Errorf("%v is better than %v", other, weights)
			}
		}
	}
}

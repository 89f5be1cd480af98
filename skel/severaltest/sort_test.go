package severaltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// The following are not strict weak orders.

func less(a, b float32) bool     { return a < b } // of numbers with NaN
func always(a, b float32) bool   { return true }
func atMost(a, b float32) bool   { return a <= b }
func circular(a, b float32) bool { return (int32(a)-int32(b)+3000)%3 == 1 }
func hashed(a, b float32) bool {
	return (uint32(int32(a))*2654435761^uint32(int32(b))*40503)>>13&1 == 1
}

var disorders = map[string]*skel.Sort[float32]{
	"NaN":      skel.NewSort(less),
	"always":   skel.NewSort(always),
	"at most":  skel.NewSort(atMost),
	"circular": skel.NewSort(circular),
	"hashed":   skel.NewSort(hashed),
}

// TestSortWithoutOrder sorts by comparisons that are not strict weak orders. Each result must be a
// permutation of the input.
func TestSortWithoutOrder(t *testing.T) {
	for _, count := range []int{2, 3} {
		over(t, count, func(t *testing.T, on vector.Distribution) {
			for name, sort := range disorders {
				for _, n := range []int{1, 10, 700, 9000} {
					if count > 2 && name != "NaN" && n > 700 {
						continue // the merges are the same
					}
					sortsAll(t, on, name, sort, n)
				}
			}
		})
	}
}

// TestSortWithoutOrderLarge sorts as many numbers as the default distribution spreads over devices.
func TestSortWithoutOrderLarge(t *testing.T) {
	if !realDevices() {
		t.Skip("this many numbers are for SKEL_DEVICE=cuda:all")
	}
	over(t, 2, func(t *testing.T, on vector.Distribution) {
		r := rand.New(rand.NewPCG(1, 25))
		in := make([]float32, 1<<25+1<<24)
		for i := range in {
			if in[i] = r.Float32(); r.IntN(50) == 0 {
				in[i] = float32(math.NaN())
			}
		}
		x := vector.From(in, on)
		defer x.Free()
		if got := host(t, disorders["NaN"].Apply(x)); !slices.Equal(counted(got), counted(in)) {
			t.Error("Apply does not return all elements")
		}
	})
}

// sortsAll checks the sorts of n numbers.
func sortsAll(t *testing.T, on vector.Distribution, name string, sort *skel.Sort[float32], n int) {
	r := rand.New(rand.NewPCG(uint64(n), 25))
	in, values := make([]float32, n), make([]int, n)
	for i := range in {
		in[i], values[i] = float32(r.IntN(2000)), i
		if name == "NaN" && r.IntN(50) == 0 {
			in[i] = float32(math.NaN())
		}
	}
	x, v := vector.From(in, on), vector.From(values, on)
	defer x.Free()
	defer v.Free()
	if got := host(t, sort.Apply(x)); !slices.Equal(counted(got), counted(in)) {
		t.Errorf("%s, %d elements on %v: Apply does not return all elements", name, n, on)
	}
	if got := host(t, sort.Order(x)); !isPermutation(got) {
		t.Errorf("%s, %d elements on %v: Order is no permutation", name, n, on)
	}
	keys, moved := skel.SortPairs(sort, x, v)
	order := host(t, moved)
	if !isPermutation(order) {
		t.Errorf("%s, %d elements on %v: the values of SortPairs are no permutation", name, n, on)
	}
	for i, k := range host(t, keys) {
		if math.Float32bits(k) != math.Float32bits(in[order[i]]) {
			t.Errorf("%s, %d elements on %v: key %d of SortPairs is not that of its value", name, n, on, i)
			break
		}
	}
	top := host(t, sort.OrderTop(x, min(n, 40)))
	slices.Sort(top)
	if len(slices.Compact(top)) != min(n, 40) || top[0] < 0 || top[len(top)-1] >= n {
		t.Errorf("%s, %d elements on %v: OrderTop returns %v", name, n, on, top)
	}
}

// counted returns the bits of numbers in order.
func counted(s []float32) []uint32 {
	all := make([]uint32, len(s))
	for i, x := range s {
		all[i] = math.Float32bits(x)
	}
	slices.Sort(all)
	return all
}

func isPermutation(s []int) bool {
	s = slices.Sorted(slices.Values(s))
	for i, x := range s {
		if i != x {
			return false
		}
	}
	return true
}

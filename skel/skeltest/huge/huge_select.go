package huge

import (
	"testing"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/skel/skeltest/kit"
	"github.com/skelgo/skelgo/vector"
)

func evenByte(b uint8) bool { return b&1 == 0 }

func oddByte(b uint8) int { return int(b & 1) }

func evenPart(b uint8) uint8 { return b &^ ((b & 1) * 0xff) }

// byteKey returns a byte as a key.
func byteKey(b uint8) int32 { return int32(b) }

// seldom reports whether i is one of about n/65537 positions.
func seldom(i int) bool { return i%65537 == 0 }

// blockOf returns the number of the block of 2^20 positions that contain i.
func blockOf(i int) int32 { return int32(i >> 20) }

func sameKey(a, b int32) bool { return a == b }

// fromEnd counts i from the last of n positions.
func fromEnd(i, n int) int { return n - 1 - i }

// descent returns 1 if element i is less than the one before it.
func descent(i int, x vector.View[uint8]) int {
	if i > 0 && x.At(i) < x.At(i-1) {
		return 1
	}
	return 0
}

var (
	evenBytes = skel.NewFilter(evenByte)
	oddBytes  = skel.NewMap(oddByte)
	evenParts = skel.NewMap(evenPart)
	byteKeys  = skel.NewMap(byteKey)
	seldoms   = skel.NewFilter(seldom)
	blocksOf  = skel.NewMap(blockOf)
	keyRuns   = skel.NewUnique(sameKey)
	fromEnds  = skel.NewMapWith(fromEnd)
	descents  = skel.NewMapWith(descent)
)

// sorts sorts x, searches the result, and takes the first elements.
func (h huge) sorts(t *testing.T, x *vector.Vector[uint8]) {
	ascending := skel.Ascending[uint8]()
	counts := kit.HostOf(t, skel.CountByKey(byteKeys.Apply(x), 256))
	sum, total := 0, uint8(0)
	lower := make([]int, 256)
	for b, n := range counts {
		lower[b] = sum
		sum += n
		total += uint8(b * n)
	}
	if sum != h.n || total != h.sum(0, h.n) {
		t.Errorf("CountByKey: %d elements, sum %d, want %d, %d", sum, total, h.n, h.sum(0, h.n))
	}
	y := ascending.Apply(x)
	defer y.Free()
	kit.Expect(t, skel.CountByKey(byteKeys.Apply(y), 256), counts)
	kit.ExpectValue(t, kit.SumsInt.Apply(descents.With(y.View()).Apply(h.index())), 0)
	all := kit.Put(t, h.d, kit.Apply(func(i int) uint8 { return uint8(i) }, kit.UpTo(256)))
	kit.Expect(t, ascending.LowerBound(y, all), lower)
	var first []int
	for i := 0; len(first) < 5; i++ {
		if byteAt(i) == 0 {
			first = append(first, i)
		}
	}
	kit.Expect(t, ascending.OrderTop(x, len(first)), first)
}

// selects keeps some elements of x and of its positions.
func (h huge) selects(t *testing.T, x *vector.Vector[uint8]) {
	odd := kit.HostOf(t, kit.SumsInt.Apply(oddBytes.Apply(x)).Vector())[0]
	even, rest := evenBytes.Partition(x)
	defer even.Free()
	defer rest.Free()
	if even.Len() != h.n-odd || rest.Len() != odd {
		t.Errorf("Partition: %d and %d elements, want %d and %d", even.Len(), rest.Len(), h.n-odd, odd)
	}
	kit.ExpectValue(t, kit.SumsInt.Apply(oddBytes.Apply(even)), 0)
	kit.ExpectValue(t, kit.SumsInt.Apply(oddBytes.Apply(rest)), odd)
	sum := kit.HostOf(t, totalBytes.Apply(evenParts.Apply(x)).Vector())[0]
	kit.ExpectValue(t, totalBytes.Apply(even), sum)
	kit.ExpectValue(t, totalBytes.Apply(rest), h.sum(0, h.n)-sum)
	kit.Expect(t, seldoms.Apply(h.index()), kit.Apply(func(k int) int { return k * 65537 }, kit.UpTo((h.n-1)/65537+1)))
	keys := kit.Apply(func(k int) int32 { return int32(k) }, kit.UpTo((h.n-1)>>20+1))
	lengths := kit.Apply(func(k int) int { return min(1<<20, h.n-k<<20) }, kit.UpTo(len(keys)))
	values, runs := keyRuns.Runs(blocksOf.Apply(h.index()))
	kit.Expect(t, values, keys)
	kit.Expect(t, runs, lengths)
}

// moves turns x round.
func (h huge) moves(t *testing.T, x *vector.Vector[uint8]) {
	y := skel.Reverse(x)
	defer y.Free()
	kit.ExpectValue(t, kit.SumsInt.Apply(turnedsUnlike.With(y.View()).Apply(h.index())), 0)
	turned := skel.Gather(x, fromEnds.With(h.n).Apply(h.index()))
	kit.ExpectValue(t, kit.SumsInt.Apply(unlikes.Apply(turned, y)), 0)
	to := vector.New[uint8](h.n, h.on)
	defer to.Free()
	kit.OK(t, skel.Permute(to, fromEnds.With(h.n).Apply(h.index()), x))
	kit.ExpectValue(t, kit.SumsInt.Apply(unlikes.Apply(to, y)), 0)
}

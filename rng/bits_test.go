package rng_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"github.com/skelgo/skelgo/rng"
)

// TestBits compares a hash of many numbers with that on amd64. The last bits of some
// differ if a product is not rounded where Go's compiler contracts x*y + z.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	for i := range 10000 {
		for _, x := range []float64{
			rng.Normal(1, 2, i), rng.Exponential(1, 2, i), rng.Uniform(1, 2, i), 3 + rng.Normal(1, 2, i),
			float64(rng.Normal32(1, 2, i)), float64(rng.Exponential32(1, 2, i)), float64(rng.Uniform32(1, 2, i)),
		} {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	if got, want := h.Sum64(), uint64(0x30abb793d85452ee); got != want {
		t.Errorf("the hash is %#x, want %#x", got, want)
	}
}

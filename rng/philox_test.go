package rng_test

import (
	"testing"

	"github.com/skelgo/skelgo/rng"
)

// TestKnownAnswers compares with the file kat_vectors of Random123.
func TestKnownAnswers(t *testing.T) {
	const all = 0xffffffff
	for _, test := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{all, all, all, all}, [2]uint32{all, all}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := rng.Philox4x32(test.counter, test.key); got != test.want {
			t.Errorf("Philox4x32(%x, %x) = %x, want %x", test.counter, test.key, got, test.want)
		}
	}
}

// blockOf returns block b of a stream, as the documentation describes it.
func blockOf(seed, stream, b uint64) [4]uint32 {
	return rng.Philox4x32(
		[4]uint32{uint32(b), uint32(b >> 32), uint32(stream), uint32(stream >> 32)},
		[2]uint32{uint32(seed), uint32(seed >> 32)})
}

// TestLayout compares numbers of all kinds with the documented words.
func TestLayout(t *testing.T) {
	const seed, stream = 0x0123456789abcdef, 0xfedcba9876543210
	for _, first := range []int{0, 1 << 33, 1<<62 - 8, 1<<63 - 8, -8, -1 << 63} {
		for i := first; i-first < 8; i++ {
			u := uint64(i)
			word := blockOf(seed, stream, u>>2)[u&3]
			if got := rng.Uint32(seed, stream, i); got != word {
				t.Errorf("Uint32(%d) is %x, want %x", i, got, word)
			}
			pair := blockOf(seed, stream, u>>1)
			long := uint64(pair[u&1*2+1])<<32 | uint64(pair[u&1*2])
			if got := rng.Uint64(seed, stream, i); got != long {
				t.Errorf("Uint64(%d) is %x, want %x", i, got, long)
			}
			if got, want := rng.Uniform32(seed, stream, i), float32(word>>8)/(1<<24); got != want {
				t.Errorf("Uniform32(%d) is %v, want %v", i, got, want)
			}
			if got, want := rng.Uniform(seed, stream, i), float64(long>>11)/(1<<53); got != want {
				t.Errorf("Uniform(%d) is %v, want %v", i, got, want)
			}
			if got, want := rng.Bernoulli(seed, stream, i, 0.5), long>>63 == 0; got != want {
				t.Errorf("Bernoulli(%d) is %v, want %v", i, got, want)
			}
		}
	}
	// The words of Uint64 are those of Uint32.
	for i := range 10 {
		want := uint64(rng.Uint32(seed, stream, 2*i+1))<<32 | uint64(rng.Uint32(seed, stream, 2*i))
		if got := rng.Uint64(seed, stream, i); got != want {
			t.Errorf("Uint64(%d) is %x, want words %x", i, got, want)
		}
	}
}

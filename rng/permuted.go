package rng

import (
	"math"
	"math/bits"
)

// Permuted returns element i of a random permutation of 0, 1, ..., n-1, which the seed and
// the stream select. It takes no memory, and the same time for each element: no other
// elements are computed. If i is not in this range, Permuted returns i.
//
// The permutation is a Feistel network over pairs of numbers, of which there are at least
// n (Black and Rogaway 2002). A result that is not less than n is permuted again, which
// takes at most a few attempts on average for n < 256, and 1 + 2/sqrt(n) for larger n. All
// permutations of few elements have the same probability, as far as 10^6 of them show; the
// number of permutations of many elements is far greater than that of seeds and streams.
func Permuted(seed, stream uint64, i, n int) int {
	return permutationOf(seed, stream, n).at(i)
}

// permutation is a random permutation of 0, 1, ..., N-1, as a permutation of pairs. The
// first number of a pair is less than A, and the second one is less than B.
type permutation struct {
	Source
	N, A, B uint64
}

// feistelRounds is the number of rounds of a permutation; 4 are enough for a perfect round
// function and large sides (Luby and Rackoff 1988).
const feistelRounds = 8

// leastSide is the least value of permutation.A and B. In smaller networks, the
// permutations would have different probabilities.
const leastSide = 16

func permutationOf(seed, stream uint64, n int) permutation {
	p := permutation{Source: Source{seed, stream}}
	if n > 0 {
		p.N = uint64(n)
	}
	p.A = max(leastSide, uint64(math.Ceil(math.Sqrt(float64(p.N)))))
	p.B = max(leastSide, (p.N+p.A-1)/p.A)
	return p
}

// at returns element i of the permutation.
func (p permutation) at(i int) int {
	x := uint64(i)
	if x >= p.N {
		return i
	}
	for {
		a, b := x/p.B, x%p.B
		for round := uint64(0); round < feistelRounds; round += 2 {
			if a += p.upTo(round, b, p.A); a >= p.A {
				a -= p.A
			}
			if b += p.upTo(round+1, a, p.B); b >= p.B {
				b -= p.B
			}
		}
		if x = a*p.B + b; x < p.N {
			return int(x)
		}
	}
}

// upTo returns the random function of a round: a number less than n for each half.
func (p permutation) upTo(round, half, n uint64) uint64 {
	w0, w1, _, _ := block(p.Seed, p.Stream, round<<32|half)
	number, _ := bits.Mul64(uint64(w1)<<32|uint64(w0), n)
	return number
}

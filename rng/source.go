package rng

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// Source is a source of random vectors: a seed and a stream. Streams with the same seed,
// of which there are 2^64, are independent of each other.
//
// Element i of a vector is what the function with the name of the method returns for i,
// so every call returns the same numbers; use another stream for other numbers. A vector
// is a pending expression, like the result of a Map of [vector.Indices]: a skeleton that
// uses it computes the numbers in its own kernel, and they take no memory. If a second
// skeleton uses the same vector, the numbers are stored. To avoid that, call the method
// again.
//
// The optional distribution says on which devices the vector is, as in
// [vector.Indices]. The numbers do not depend on it. The methods panic if the number of
// elements is negative.
type Source struct{ Seed, Stream uint64 }

// limited is the extra argument of IntN.
type limited struct {
	Source
	Limit int
}

// coin is the extra argument of Bernoulli.
type coin struct {
	Source
	P float64
}

func uint32Of(i int, s Source) uint32         { return Uint32(s.Seed, s.Stream, i) }
func uint64Of(i int, s Source) uint64         { return Uint64(s.Seed, s.Stream, i) }
func intNOf(i int, l limited) int             { return IntN(l.Seed, l.Stream, i, l.Limit) }
func bernoulliOf(i int, c coin) bool          { return Bernoulli(c.Seed, c.Stream, i, c.P) }
func uniformOf(i int, s Source) float64       { return Uniform(s.Seed, s.Stream, i) }
func uniform32Of(i int, s Source) float32     { return Uniform32(s.Seed, s.Stream, i) }
func normalOf(i int, s Source) float64        { return Normal(s.Seed, s.Stream, i) }
func normal32Of(i int, s Source) float32      { return Normal32(s.Seed, s.Stream, i) }
func exponentialOf(i int, s Source) float64   { return Exponential(s.Seed, s.Stream, i) }
func exponential32Of(i int, s Source) float32 { return Exponential32(s.Seed, s.Stream, i) }
func permutedOf(i int, p permutation) int     { return p.at(i) }

var (
	uint32s        = skel.NewMapWith(uint32Of)
	uint64s        = skel.NewMapWith(uint64Of)
	ints           = skel.NewMapWith(intNOf)
	bernoullis     = skel.NewMapWith(bernoulliOf)
	uniforms       = skel.NewMapWith(uniformOf)
	uniforms32     = skel.NewMapWith(uniform32Of)
	normals        = skel.NewMapWith(normalOf)
	normals32      = skel.NewMapWith(normal32Of)
	exponentials   = skel.NewMapWith(exponentialOf)
	exponentials32 = skel.NewMapWith(exponential32Of)
	permutations   = skel.NewMapWith(permutedOf)
)

// Uint32 returns n numbers of 32 random bits.
func (s Source) Uint32(n int, where ...vector.Distribution) *vector.Vector[uint32] {
	return uint32s.With(s).Apply(vector.Indices(n, where...))
}

// Uint64 returns n numbers of 64 random bits.
func (s Source) Uint64(n int, where ...vector.Distribution) *vector.Vector[uint64] {
	return uint64s.With(s).Apply(vector.Indices(n, where...))
}

// IntN returns n numbers from the uniform distribution over 0, 1, ..., limit-1. It panics
// if limit is less than 1.
func (s Source) IntN(n, limit int, where ...vector.Distribution) *vector.Vector[int] {
	if limit < 1 {
		panic(fmt.Sprintf("rng: IntN: limit is %d, and must be at least 1", limit))
	}
	return ints.With(limited{s, limit}).Apply(vector.Indices(n, where...))
}

// Bernoulli returns n truth values, each of which is true with probability p.
func (s Source) Bernoulli(n int, p float64, where ...vector.Distribution) *vector.Vector[bool] {
	return bernoullis.With(coin{s, p}).Apply(vector.Indices(n, where...))
}

// Uniform returns n numbers from the uniform distribution over [0, 1).
func (s Source) Uniform(n int, where ...vector.Distribution) *vector.Vector[float64] {
	return uniforms.With(s).Apply(vector.Indices(n, where...))
}

// Uniform32 is Uniform for float32.
func (s Source) Uniform32(n int, where ...vector.Distribution) *vector.Vector[float32] {
	return uniforms32.With(s).Apply(vector.Indices(n, where...))
}

// Normal returns n numbers from the normal distribution with mean 0 and variance 1.
func (s Source) Normal(n int, where ...vector.Distribution) *vector.Vector[float64] {
	return normals.With(s).Apply(vector.Indices(n, where...))
}

// Normal32 is Normal for float32.
func (s Source) Normal32(n int, where ...vector.Distribution) *vector.Vector[float32] {
	return normals32.With(s).Apply(vector.Indices(n, where...))
}

// Exponential returns n numbers from the exponential distribution with mean 1.
func (s Source) Exponential(n int, where ...vector.Distribution) *vector.Vector[float64] {
	return exponentials.With(s).Apply(vector.Indices(n, where...))
}

// Exponential32 is Exponential for float32.
func (s Source) Exponential32(n int, where ...vector.Distribution) *vector.Vector[float32] {
	return exponentials32.With(s).Apply(vector.Indices(n, where...))
}

// Permutation returns a random permutation of 0, 1, ..., n-1; see [Permuted].
func (s Source) Permutation(n int, where ...vector.Distribution) *vector.Vector[int] {
	return permutations.With(permutationOf(s.Seed, s.Stream, n)).Apply(vector.Indices(n, where...))
}

// Sample returns k different numbers from 0, 1, ..., n-1 in random order: the first k of
// Permutation(n). It panics if k is greater than n.
func (s Source) Sample(n, k int, where ...vector.Distribution) *vector.Vector[int] {
	if k > n {
		panic(fmt.Sprintf("rng: Sample: there are no %d different numbers below %d", k, n))
	}
	return permutations.With(permutationOf(s.Seed, s.Stream, n)).Apply(vector.Indices(k, where...))
}

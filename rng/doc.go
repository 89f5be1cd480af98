// Package rng provides random numbers for the functions of skeletons, and random vectors.
// A number depends only on a seed, a stream and an index, not on the numbers that were drawn
// before. So all elements of a vector can be computed in parallel, and the numbers are
// bit-identical on every device and for every distribution over devices.
//
//	func hit(i int, s rng.Source) int64 {
//		x, y := rng.Uniform(s.Seed, s.Stream, 2*i), rng.Uniform(s.Seed, s.Stream, 2*i+1)
//		if x*x+y*y < 1 {
//			return 1
//		}
//		return 0
//	}
//
// The functions are for use in the function of a skeleton, as above, or anywhere else. The
// methods of [Source] return vectors:
//
//	noise := rng.Source{Seed: 1}.Normal32(n)
//
// [Permuted] is a random permutation, and [Weights] draw numbers with given probabilities.
//
// # Streams
//
// The numbers of different seeds and of different streams are independent. The numbers of
// different functions for the same seed, stream and index are not: they are computed from
// the same bits. If a program needs several numbers for an element, it can use several
// streams, or several indices, such as 2*i and 2*i+1.
//
// # Layout
//
// The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as
// easy as 1, 2, 3. SC 2011), as in the library Random123. [Philox4x32] is the generator
// itself. Its 128-bit counter consists of the number b of a block and the stream, and its key
// is the seed, each with the lower half first:
//
//	counter = {low(b), high(b), low(stream), high(stream)}    key = {low(seed), high(seed)}
//
// Block b of a stream is the result, the four words 4b to 4b+3. An index is converted to
// a uint64, so negative indices are possible, too.
//
//	Uint32           word i
//	Uniform32        word i >> 8, divided by 2^24
//	Exponential32    -ln(1 - word i / 2^32)
//	Normal32         numbers i and i+1, for even i, from words i and i+1
//	Uint64           words 2i (the lower half) and 2i+1
//	Uniform          Uint64 >> 11, divided by 2^53
//	Bernoulli        whether Uniform is less than p
//	Exponential      -ln(1 - Uint64 / 2^64)
//	Normal           numbers i and i+1, for even i, from Uint64 i and i+1
//	Weighted         from Uint64 i
//	IntN             from the four words of block i
//	Permuted         from many blocks
//
// A stream has 2^64 blocks, after which the numbers would repeat: 2^66 words. An int has 2^64
// values, and so the functions never reach the end of a stream.
//
// # Speed
//
// Four elements use one block. If a kernel computes them in one work-item, as the kernels for
// GPUs do, it computes the block once, provided that the index is the element's own and the
// function has no loops. With another index, such as 2*i, each element computes its own block.
//
// docs/adr/0027-random-numbers.md states why the package is as it is. Start with uniform.go.
package rng

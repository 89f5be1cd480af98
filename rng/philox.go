package rng

import "math/bits"

// Philox4x32 returns the four random words that Philox4x32-10 computes from a counter and
// a key (Salmon, Moraes, Dror and Shaw 2011). It is a bijection of the counters for each
// key, and equals philox4x32 of the Random123 library.
func Philox4x32(counter [4]uint32, key [2]uint32) [4]uint32 {
	w0, w1, w2, w3 := philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])
	return [4]uint32{w0, w1, w2, w3}
}

// philox is Philox4x32 without arrays, which Go's compiler would keep in memory. Its rounds
// are no loop: the compilers for GPUs unroll loops too late to see that neighbouring
// elements compute the same block.
func philox(c0, c1, c2, c3, k0, k1 uint32) (w0, w1, w2, w3 uint32) {
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	c0, c1, c2, c3 = philoxRound(c0, c1, c2, c3, k0, k1)
	k0, k1 = k0+weyl0, k1+weyl1
	return philoxRound(c0, c1, c2, c3, k0, k1)
}

// What a round adds to the key.
const (
	weyl0 = 0x9e3779b9 // the golden ratio
	weyl1 = 0xbb67ae85 // the square root of 3, minus 1
)

func philoxRound(c0, c1, c2, c3, k0, k1 uint32) (w0, w1, w2, w3 uint32) {
	p1, p0 := bits.Mul32(c0, 0xd2511f53)
	q1, q0 := bits.Mul32(c2, 0xcd9e8d57)
	return q1 ^ c1 ^ k0, q0, p1 ^ c3 ^ k1, p0
}

// block returns block b of a stream; see the package documentation.
func block(seed, stream, b uint64) (w0, w1, w2, w3 uint32) {
	return philox(uint32(b), uint32(b>>32), uint32(stream), uint32(stream>>32), uint32(seed), uint32(seed>>32))
}

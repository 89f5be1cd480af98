package rodinia

// Rand is the generator behind rand() of the GNU C library: an additive
// feedback generator of degree 31. It is written after the library's
// description of it (stdlib/random_r.c, TYPE_3).
type Rand struct {
	state [31]uint32 // the last 31 values, those of i and i+31 in one place
	next  int        // where the oldest of them is
}

// NewRand is srand(seed).
func NewRand(seed uint32) *Rand {
	r := &Rand{}
	word := int64(int32(max(seed, 1))) // the library takes 0 for 1
	for i := range r.state {
		r.state[i] = uint32(word)
		if word = 16807 * word % (1<<31 - 1); word < 0 {
			word += 1<<31 - 1
		}
	}
	r.next = 3      // values 31 to 33 repeat 0 to 2
	for range 310 { // these the library throws away
		r.Next()
	}
	return r
}

// Next is rand(): the next number, below 1<<31.
func (r *Rand) Next() uint32 {
	last3 := (r.next + len(r.state) - 3) % len(r.state)
	r.state[r.next] += r.state[last3]
	v := r.state[r.next] >> 1
	r.next = (r.next + 1) % len(r.state)
	return v
}

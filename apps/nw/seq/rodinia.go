package seq

import "fmt"

// Rodinia returns the two sequences of n letters that the Needleman-Wunsch program of the
// Rodinia benchmarks aligns, letter by letter, so that results can be compared. The
// program draws them with srand(7): first the vertical one, A, whose letters belong to the
// rows of the matrix, then the horizontal one, B. Its matrix is subst's BLOSUM62 and its
// gap cost linear.
func Rodinia(n int) Pair {
	r, p := NewRand(7), blank("rodinia", n)
	for i := range n {
		p.A.Letters[i] = rodiniaLetter(r)
	}
	for j := range n {
		p.B.Letters[j] = rodiniaLetter(r)
	}
	return p
}

// RodiniaInterleaved returns the sequences that the program of SkelCL's study printed: the
// same random numbers, dealt in turn to the horizontal sequence, B, and the vertical one,
// A. They differ from those of Rodinia.
func RodiniaInterleaved(n int) Pair {
	r, p := NewRand(7), blank("interleaved", n)
	for i := range n {
		p.B.Letters[i] = rodiniaLetter(r)
		p.A.Letters[i] = rodiniaLetter(r)
	}
	return p
}

// rodiniaRows are the letters of Rodinia's matrix in its order.
const rodiniaRows = "ARNDCQEGHILKMFPSTWYV"

// rodiniaLetter draws the letter of row rand()%10 + 1: one of R to L, and never A.
func rodiniaLetter(r *Rand) byte { return rodiniaRows[r.Next()%10+1] }

// blank returns two sequences of n letters to be filled in.
func blank(data string, n int) Pair {
	record := func(name string) *Record {
		comment := fmt.Sprintf("%s data, srand(7), %d letters", data, n)
		return &Record{Name: name, Comment: comment, Letters: make([]byte, n), File: data}
	}
	return Pair{A: record("vertical"), B: record("horizontal")}
}

// Rand is the generator behind rand() of the GNU C library: an additive feedback generator
// of degree 31, as the library describes it (stdlib/random_r.c, TYPE_3).
type Rand struct {
	state [31]uint32 // the last 31 values; value i+31 replaces value i
	next  int        // index of the oldest value
}

// NewRand returns a generator that was seeded with srand(seed).
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
	for range 310 { // the library discards these
		r.Next()
	}
	return r
}

// Next returns the next number of rand(), which is below 1<<31.
func (r *Rand) Next() uint32 {
	last3 := (r.next + len(r.state) - 3) % len(r.state)
	r.state[r.next] += r.state[last3]
	v := r.state[r.next] >> 1
	r.next = (r.next + 1) % len(r.state)
	return v
}

package subst

import (
	"fmt"
	"math/bits"
)

// The codes of IUPAC for nucleotides, and the bases that each stands for: A,
// C, G, T as bits 0 to 3. U is T.
const iupac = "ACGTURYSWKMBDHVN"

var bases = [...]uint{1, 2, 4, 8, 8, 1 | 4, 2 | 8, 2 | 4, 1 | 8, 4 | 8, 1 | 2, 2 | 4 | 8, 1 | 4 | 8, 1 | 2 | 8, 1 | 2 | 4, 15}

// DNA makes a matrix for nucleotides, with the letters ACGTURYSWKMBDHVN. The
// same base is worth match, and others mismatch, which is below match and
// usually negative; U is the same base as T. A code that stands for several
// bases is worth their mean, rounded to the nearest integer, halves upwards:
// with 5 and -4, A against R (A or G) is worth 0.5, so 1, and N against any
// base -1.75, so -2.
//
// DNA(5, -4) is DNAFULL wherever one of the letters is a plain base. Of two
// ambiguous codes DNAFULL has other values here and there, by up to two.
func DNA(match, mismatch int) (*Matrix, error) {
	switch {
	case match <= mismatch:
		return nil, fmt.Errorf("match %d, mismatch %d: the same base must be worth more than others (mismatches are usually negative)", match, mismatch)
	case match > Limit || mismatch < -Limit:
		return nil, fmt.Errorf("match %d, mismatch %d: scores go from %d to %d", match, mismatch, -Limit, Limit)
	}
	return newMatrix(fmt.Sprintf("DNA(%d,%d)", match, mismatch), []byte(iupac), func(i, j int) int32 {
		same := bits.OnesCount(bases[i] & bases[j])
		pairs := bits.OnesCount(bases[i]) * bits.OnesCount(bases[j])
		sum := same*match + (pairs-same)*mismatch
		return int32(floor(2*sum+pairs, 2*pairs))
	}), nil
}

// floor is the largest integer that is not above x/y, for y > 0.
func floor(x, y int) int {
	if x < 0 {
		return -((y - 1 - x) / y)
	}
	return x / y
}

package subst

import (
	"context"
	_ "embed" // the matrices
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// matrices holds the files of the known matrices in the txtar format: each after a line
// "-- NAME --".
//
//go:embed matrices.txtar
var matrices string

// known are the names of these matrices in the order of messages.
var known = []string{"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250", "DNAFULL"}

// parsed holds the known matrices that were looked up.
var parsed sync.Map

// Names returns the names that Lookup knows.
func Names() []string { return slices.Clone(known) }

// Lookup returns a known matrix by its name, in any case. EMBOSS's names, such as
// EBLOSUM62 and EDNAFULL, are accepted, too.
func Lookup(name string) (*Matrix, error) {
	key := strings.ToUpper(name)
	if !slices.Contains(known, key) {
		key = strings.TrimPrefix(key, "E")
	}
	if !slices.Contains(known, key) {
		return nil, fmt.Errorf("no matrix %q; available: %s", name, strings.Join(known, ", "))
	}
	if m, ok := parsed.Load(key); ok {
		return m.(*Matrix), nil
	}
	_, text, _ := strings.Cut(matrices, "-- "+key+" --\n")
	text, _, _ = strings.Cut(text, "-- ")
	m, err := Parse(strings.NewReader(text), key)
	if err != nil {
		return nil, err
	}
	kept, _ := parsed.LoadOrStore(key, m)
	return kept.(*Matrix), nil
}

// Open returns the matrix that a command line names: one that Lookup knows, or the one in
// the file called name.
func Open(name string) (*Matrix, error) {
	m, err := Lookup(name)
	if err == nil {
		return m, nil
	}
	f, failed := input.Open(context.Background(), name, os.Stdin, 1<<16)
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		return nil, fmt.Errorf("%w, and there is no such file", err)
	case failed != nil:
		return nil, failed
	}
	defer f.Close()
	if err := f.Text(); err != nil {
		return nil, f.Wrap(err)
	}
	return Parse(f, f.Label)
}

// The IUPAC codes of nucleotides, and the bases that each stands for: A, C, G, T as bits 0
// to 3. U is T.
const iupac = "ACGTURYSWKMBDHVN"

var bases = [...]uint{
	1, 2, 4, 8, 8, 1 | 4, 2 | 8, 2 | 4, 1 | 8, 4 | 8, 1 | 2,
	2 | 4 | 8, 1 | 4 | 8, 1 | 2 | 8, 1 | 2 | 4, 15,
}

// DNA makes a matrix for nucleotides, with the letters ACGTURYSWKMBDHVN. The score of
// equal bases is match, that of different ones mismatch, which must be below match and
// usually is negative; U is the same base as T. The score of a code that stands for
// several bases is their mean, rounded to the nearest integer, halves upwards: with 5 and
// -4 that of A and R (A or G) is 0.5, so 1, and that of N and any base -1.75, so -2.
//
// DNA(5, -4) equals DNAFULL wherever one of the letters is a plain base. For two ambiguous
// codes DNAFULL differs in some places, by at most two.
func DNA(match, mismatch int) (*Matrix, error) {
	switch {
	case match <= mismatch:
		return nil, fmt.Errorf("match %d, mismatch %d: the score of equal bases must be higher "+
			"(mismatches are usually negative)", match, mismatch)
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

// floor returns the largest integer that is not above x/y, for y > 0.
func floor(x, y int) int {
	if x < 0 {
		return -((y - 1 - x) / y)
	}
	return x / y
}

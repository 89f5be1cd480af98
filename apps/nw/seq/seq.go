package seq

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

// Record is one sequence.
type Record struct {
	Name    string // the text after '>', up to the first blank
	Comment string // the rest of that line
	Letters []byte // A to Z and '*', at least one
	File    string // name of its file, or "standard input"
	Line    int    // line of its name, from 1
}

// Read reads the sequences of the FASTA file called name, or of stdin if name is "-". It
// returns at least one. Reading a plain file takes 2 to 3 ns for each letter.
func Read(ctx context.Context, name string, stdin io.Reader) ([]Record, error) {
	if name == "-" && stdin == nil {
		return nil, errors.New("there is no standard input to read sequences from")
	}
	in, err := input.Open(ctx, name, stdin, 1<<20)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := in.Text(); err != nil {
		return nil, in.Wrap(err)
	}
	r := reader{in: in, letters: make([]byte, 0, in.Bytes)}
	if err := r.read(); err != nil {
		return nil, in.Wrap(err)
	}
	return r.records, nil
}

// Pair is two sequences to align with each other.
type Pair struct{ A, B *Record }

// Pairs returns the pairs to be aligned. With one file, b is nil, and the first and second
// sequence of a are a pair, the third and fourth, and so on. With two files, the first
// sequences of both are a pair, the second ones, and so on; if one of the files has a single
// sequence, it is paired with each sequence of the other one. Other numbers of sequences are
// an error that names the files.
func Pairs(a, b []Record) ([]Pair, error) {
	switch {
	case len(a) == 0 || b != nil && len(b) == 0:
		return nil, errors.New("there are no sequences to align")
	case b == nil && len(a)%2 == 1:
		return nil, fmt.Errorf("%s has %s; "+
			"a single file must hold pairs: first and second, third and fourth, and so on",
			a[0].File, count(a))
	case b == nil:
		pairs := make([]Pair, len(a)/2)
		for i := range pairs {
			pairs[i] = Pair{&a[2*i], &a[2*i+1]}
		}
		return pairs, nil
	case len(a) != len(b) && len(a) != 1 && len(b) != 1:
		return nil, fmt.Errorf("%s has %s and %s has %s: "+
			"both must have the same number, or one of them a single sequence",
			a[0].File, count(a), b[0].File, count(b))
	}
	pairs := make([]Pair, max(len(a), len(b)))
	for i := range pairs {
		pairs[i] = Pair{&a[min(i, len(a)-1)], &b[min(i, len(b)-1)]}
	}
	return pairs, nil
}

func count(records []Record) string {
	if len(records) == 1 {
		return "1 sequence"
	}
	return fmt.Sprintf("%d sequences", len(records))
}

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
	Name    string // what follows the '>', up to the first blank
	Comment string // the rest of that line
	Letters []byte // A to Z and '*', at least one
	File    string // where it comes from: a file's name, or "standard input"
	Line    int    // of its name, from 1
}

// Read reads the sequences of the FASTA file called name, or those of stdin
// when name is "-". There is at least one. Reading a plain file takes two or
// three nanoseconds a letter.
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

// Pairs says which sequences are aligned with which. With one file, b is nil,
// and each two sequences of a that follow one another are a pair. With two
// files, the first sequence of a is aligned with the first of b, and so on;
// when one of the files holds a single sequence, it is aligned with each of
// the other's. Other numbers are an error that names the files.
func Pairs(a, b []Record) ([]Pair, error) {
	switch {
	case len(a) == 0 || b != nil && len(b) == 0:
		return nil, errors.New("there are no sequences to align")
	case b == nil && len(a)%2 == 1:
		return nil, fmt.Errorf("%s has %s; a single file must hold pairs: first and second, third and fourth, and so on", a[0].File, count(a))
	case b == nil:
		pairs := make([]Pair, len(a)/2)
		for i := range pairs {
			pairs[i] = Pair{&a[2*i], &a[2*i+1]}
		}
		return pairs, nil
	case len(a) != len(b) && len(a) != 1 && len(b) != 1:
		return nil, fmt.Errorf("%s has %s and %s has %s: both must have the same number, or one of them a single sequence", a[0].File, count(a), b[0].File, count(b))
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

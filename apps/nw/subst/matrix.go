package subst

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Limit is the largest score that a matrix may hold, and its negative the
// smallest, so that the sums of long sequences stay far from what fits 64
// bits.
const Limit = 1_000_000

// none is the code of bytes that are no letter of a matrix.
const none = 0xff

// Matrix is a substitution matrix. Nothing changes it once it is made, and
// any number of goroutines may use it.
type Matrix struct {
	name     string
	letters  []byte
	code     [256]uint8 // of a letter in either case: its row, or none
	table    []int32
	min, max int32
}

// newMatrix makes a matrix; score gives what letter i against letter j is
// worth.
func newMatrix(name string, letters []byte, score func(i, j int) int32) *Matrix {
	m := &Matrix{name: name, letters: letters, table: make([]int32, 0, len(letters)*len(letters))}
	for i := range m.code {
		m.code[i] = none
	}
	for i, c := range letters {
		m.code[c] = uint8(i)
		if c >= 'A' {
			m.code[c-'A'+'a'] = uint8(i)
		}
		for j := range letters {
			m.table = append(m.table, score(i, j))
		}
	}
	m.min, m.max = slices.Min(m.table), slices.Max(m.table)
	return m
}

// Name is what the matrix was called when it was made.
func (m *Matrix) Name() string { return m.name }

// Letters are the letters of the rows in their order, in upper case. The code
// of a letter is its index here.
func (m *Matrix) Letters() string { return string(m.letters) }

// Size is the number of letters, 1 to 27.
func (m *Matrix) Size() int { return len(m.letters) }

// Max is the largest score.
func (m *Matrix) Max() int { return int(m.max) }

// Min is the smallest score.
func (m *Matrix) Min() int { return int(m.min) }

// Table is all scores: that of codes a and b is element a*Size + b. It is the
// caller's to keep.
func (m *Matrix) Table() []int32 { return slices.Clone(m.table) }

// Has reports whether the matrix scores a letter, in either case.
func (m *Matrix) Has(letter byte) bool { return m.code[letter] != none }

// Score is what a of the first sequence against b of the second is worth. It
// panics when the matrix does not have them.
func (m *Matrix) Score(a, b byte) int {
	i, j := m.code[a], m.code[b]
	if i == none || j == none {
		panic(fmt.Sprintf("subst: %s has no score of %q against %q", m.name, a, b))
	}
	return int(m.table[int(i)*len(m.letters)+int(j)])
}

// Symmetric reports whether a against b is always worth as much as b against
// a, so that the sequences may change places.
func (m *Matrix) Symmetric() bool {
	n := len(m.letters)
	for i := range n {
		for j := range i {
			if m.table[i*n+j] != m.table[j*n+i] {
				return false
			}
		}
	}
	return true
}

// UnknownError says that a sequence holds a letter that a matrix does not
// score.
type UnknownError struct {
	Letter   byte
	Position int         // in the sequence, from 1
	Record   *seq.Record // whose letter it is; nil when not known
	Matrix   *Matrix
}

// Error names the letter, where it stands, and what would do.
func (e *UnknownError) Error() string {
	where := ""
	if r := e.Record; r != nil {
		where = fmt.Sprintf("%s:%d: sequence %q: ", r.File, r.Line, r.Name)
	}
	return fmt.Sprintf("%sletter %q at position %d is not in the matrix %s, which has %s", where, e.Letter, e.Position, e.Matrix.name, e.Matrix.letters)
}

// WithUnknownAs gives the same matrix with a score for every letter: those
// that m does not have, of A to Z and '*', count as this one, which m has.
func (m *Matrix) WithUnknownAs(letter byte) (*Matrix, error) {
	if !m.Has(letter) {
		return nil, fmt.Errorf("unknown letters cannot count as %q: it is not in the matrix %s, which has %s", letter, m.name, m.letters)
	}
	all := *m
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*") {
		if all.code[c] == none {
			all.code[c] = m.code[letter]
		}
	}
	return &all, nil
}

// Append appends the codes of letters to dst. With unknownAs, a letter of the
// matrix, the letters that the matrix does not have count as that one, as with
// WithUnknownAs; when it is 0 they are an *UnknownError.
func (m *Matrix) Append(dst, letters []byte, unknownAs byte) ([]byte, error) {
	if unknownAs != 0 {
		all, err := m.WithUnknownAs(unknownAs)
		if err != nil {
			return nil, err
		}
		m = all
	}
	dst = slices.Grow(dst, len(letters))
	for i, c := range letters {
		code := m.code[c]
		if code == none {
			return nil, &UnknownError{Letter: c, Position: i + 1, Matrix: m}
		}
		dst = append(dst, code)
	}
	return dst, nil
}

// Encode gives the codes of letters, as Append does.
func (m *Matrix) Encode(letters []byte, unknownAs byte) ([]byte, error) {
	return m.Append(nil, letters, unknownAs)
}

// AppendRecord appends the codes of a sequence, as Append does, and its
// errors name the sequence.
func (m *Matrix) AppendRecord(dst []byte, r *seq.Record, unknownAs byte) ([]byte, error) {
	dst, err := m.Append(dst, r.Letters, unknownAs)
	if u, ok := err.(*UnknownError); ok {
		u.Record = r
	}
	return dst, err
}

// EncodeRecord gives the codes of a sequence, as AppendRecord does.
func (m *Matrix) EncodeRecord(r *seq.Record, unknownAs byte) ([]byte, error) {
	return m.AppendRecord(nil, r, unknownAs)
}

// Check returns an *UnknownError when a sequence holds a letter that the
// matrix does not score.
func (m *Matrix) Check(r *seq.Record) error {
	for i, c := range r.Letters {
		if !m.Has(c) {
			return &UnknownError{Letter: c, Position: i + 1, Record: r, Matrix: m}
		}
	}
	return nil
}

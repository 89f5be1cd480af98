package subst

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// Limit is the largest score that a matrix may have, and -Limit the smallest, so that the
// sums of long sequences fit 64 bits easily.
const Limit = 1_000_000

// none is the code of bytes that are not a letter of a matrix.
const none = 0xff

// Matrix is a substitution matrix. It is immutable, and several goroutines may use it.
type Matrix struct {
	name     string
	letters  []byte
	code     [256]uint8 // row of a letter in either case, or none
	table    []int32
	min, max int32
}

// newMatrix returns a matrix; score returns the score of letters i and j.
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

// Name returns the name that the matrix was created with.
func (m *Matrix) Name() string { return m.name }

// Letters returns the letters of the rows in their order, in upper case. The code of a
// letter is its index in Letters.
func (m *Matrix) Letters() string { return string(m.letters) }

// Size returns the number of letters, 1 to 27.
func (m *Matrix) Size() int { return len(m.letters) }

// Max returns the largest score.
func (m *Matrix) Max() int { return int(m.max) }

// Min returns the smallest score.
func (m *Matrix) Min() int { return int(m.min) }

// Table returns a copy of all scores: that of codes a and b is element a*Size + b.
func (m *Matrix) Table() []int32 { return slices.Clone(m.table) }

// Has reports whether the matrix has a letter, in either case.
func (m *Matrix) Has(letter byte) bool { return m.code[letter] != none }

// Score returns the score of letter a of the first sequence and b of the second. It panics
// if the matrix does not have them.
func (m *Matrix) Score(a, b byte) int {
	i, j := m.code[a], m.code[b]
	if i == none || j == none {
		panic(fmt.Sprintf("subst: %s has no score of %q against %q", m.name, a, b))
	}
	return int(m.table[int(i)*len(m.letters)+int(j)])
}

// Symmetric reports whether the score of a and b always equals that of b and a, so that
// exchanging the sequences makes no difference.
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

// UnknownError reports a letter of a sequence that is not in a matrix.
type UnknownError struct {
	Letter   byte
	Position int         // in the sequence, from 1
	Record   *seq.Record // the sequence; nil if not known
	Matrix   *Matrix
}

// Error names the letter, its position, and the letters of the matrix.
func (e *UnknownError) Error() string {
	where := ""
	if r := e.Record; r != nil {
		where = fmt.Sprintf("%s:%d: sequence %q: ", r.File, r.Line, r.Name)
	}
	return fmt.Sprintf("%sletter %q at position %d is not in the matrix %s, which has %s",
		where, e.Letter, e.Position, e.Matrix.name, e.Matrix.letters)
}

// WithUnknownAs returns a copy of m that has all of A to Z and '*': the letters that m does
// not have are treated as letter, which m must have.
func (m *Matrix) WithUnknownAs(letter byte) (*Matrix, error) {
	if !m.Has(letter) {
		return nil, fmt.Errorf("unknown letters cannot be treated as %q: it is not in the matrix %s, which has %s",
			letter, m.name, m.letters)
	}
	all := *m
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*") {
		if all.code[c] == none {
			all.code[c] = m.code[letter]
		}
	}
	return &all, nil
}

// Append appends the codes of letters to dst. Letters that the matrix does not have are
// treated as unknownAs, as by WithUnknownAs; if that is 0, they are an *UnknownError.
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

// Encode returns the codes of letters; see Append.
func (m *Matrix) Encode(letters []byte, unknownAs byte) ([]byte, error) {
	return m.Append(nil, letters, unknownAs)
}

// AppendRecord appends the codes of a sequence to dst like Append. Its errors name the
// sequence.
func (m *Matrix) AppendRecord(dst []byte, r *seq.Record, unknownAs byte) ([]byte, error) {
	dst, err := m.Append(dst, r.Letters, unknownAs)
	if u, ok := err.(*UnknownError); ok {
		u.Record = r
	}
	return dst, err
}

// EncodeRecord returns the codes of a sequence; see AppendRecord.
func (m *Matrix) EncodeRecord(r *seq.Record, unknownAs byte) ([]byte, error) {
	return m.AppendRecord(nil, r, unknownAs)
}

// Check returns an *UnknownError if a sequence has a letter that is not in the matrix.
func (m *Matrix) Check(r *seq.Record) error {
	for i, c := range r.Letters {
		if !m.Has(c) {
			return &UnknownError{Letter: c, Position: i + 1, Record: r, Matrix: m}
		}
	}
	return nil
}

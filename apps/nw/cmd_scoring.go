package nw

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

// The default costs of gaps: for proteins those of BLAST, for nucleotides those of EMBOSS.
const (
	proteinOpen    = 11
	nucleotideOpen = 10
	defaultExtend  = 1
)

// The default score of nucleotides if the other one is given.
const (
	defaultMatch    = 5
	defaultMismatch = -4
)

// cost is the cost of a letter of a gap.
type cost int

// UnmarshalText parses a cost. Users of EMBOSS may type 0.5.
func (c *cost) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is too large", text)
	}
	if *c = cost(n); err != nil {
		return fmt.Errorf("%s is not a whole number, as costs must be; "+
			"--open 10 --extend 1 comes close to EMBOSS's 10 and 0.5", text)
	}
	return nil
}

// ends returns the free ends.
func (c *Command) ends() (align.Ends, error) {
	switch {
	case align.Mode(c.Mode) != align.SemiGlobal && c.Free != nil:
		return align.Ends{}, fmt.Errorf("--free needs --mode semiglobal; the mode is %s", c.Mode)
	case align.Mode(c.Mode) != align.SemiGlobal:
		return align.Ends{}, nil
	case c.Free == nil:
		return align.AllEnds, nil
	}
	var free align.Ends
	for _, end := range c.Free {
		switch strings.ToLower(strings.TrimSpace(end)) {
		case "start_a":
			free.StartA = true
		case "end_a":
			free.EndA = true
		case "start_b":
			free.StartB = true
		case "end_b":
			free.EndB = true
		case "a":
			free.StartA, free.EndA = true, true
		case "b":
			free.StartB, free.EndB = true, true
		default:
			return align.Ends{}, fmt.Errorf("--free: no end %q; available: start_a, end_a, start_b, end_b, "+
				"and a and b for both ends of a sequence", end)
		}
	}
	return free, nil
}

// checkCosts checks the options for scores and costs.
func (c *Command) checkCosts() error {
	if c.Gap != nil && (c.Open != nil || c.Extend != nil) {
		return app.InputErrorf("--gap sets both --open and --extend and cannot be combined with them")
	}
	if c.Match != nil || c.Mismatch != nil {
		if c.Matrix != "" {
			return app.InputErrorf("--match and --mismatch define a matrix and cannot be combined with --matrix %s",
				c.Matrix)
		}
	}
	for _, cost := range []struct {
		name string
		n    *cost
	}{{"gap", c.Gap}, {"open", c.Open}, {"extend", c.Extend}} {
		switch {
		case cost.n == nil:
		case *cost.n <= 0:
			return app.InputErrorf("--%s %d: it must be above 0; it is subtracted from the score", cost.name, *cost.n)
		case *cost.n > subst.Limit:
			return app.InputErrorf("--%s %d: it must be at most %d", cost.name, *cost.n, subst.Limit)
		}
	}
	return nil
}

// costs returns the costs of gaps.
func (c *Command) costs(nucleotides bool) (open, extend int, err error) {
	if c.Gap != nil {
		return int(*c.Gap), int(*c.Gap), nil
	}
	if c.Rodinia > 0 && c.Open == nil && c.Extend == nil {
		return rodiniaGap, rodiniaGap, nil
	}
	open, extend = proteinOpen, defaultExtend
	if nucleotides {
		open = nucleotideOpen
	}
	given := " by default"
	if c.Open != nil {
		open, given = int(*c.Open), ""
	}
	if c.Extend != nil {
		extend = int(*c.Extend)
	}
	if open < extend {
		return 0, 0, app.InputErrorf("--extend %d: it must not be above --open, which is %d%s", extend, open, given)
	}
	return open, extend, nil
}

// matrix returns the matrix that was asked for or, by default, the one for the sequences.
func (c *Command) matrix(files ...[]seq.Record) (m *subst.Matrix, nucleotides bool, err error) {
	switch {
	case c.Match != nil || c.Mismatch != nil:
		match, mismatch := defaultMatch, defaultMismatch
		if c.Match != nil {
			match = *c.Match
		}
		if c.Mismatch != nil {
			mismatch = *c.Mismatch
		}
		m, err = subst.DNA(match, mismatch)
		return m, true, err
	case c.Matrix != "":
		m, err = subst.Open(c.Matrix)
		if err != nil {
			err = fmt.Errorf("--matrix: %w", err)
		}
		return m, m != nil && strings.Trim(string(m.Letters()), nucleotideLetters+"*") == "", err
	case c.Rodinia == 0 && areNucleotides(files...):
		m, err = subst.Lookup("DNAFULL")
		return m, true, err
	}
	m, err = subst.Lookup("BLOSUM62")
	return m, false, err
}

// nucleotideLetters are the letters of nucleotides, certain and uncertain ones.
const (
	plainNucleotides  = "ACGTUN"
	nucleotideLetters = plainNucleotides + "RYSWKMBDHV"
)

// matrixFile returns the file that --matrix names, or "" if it names a known matrix.
func (c *Command) matrixFile() string {
	if _, err := subst.Lookup(c.Matrix); c.Matrix == "" || err == nil {
		return ""
	}
	return c.Matrix
}

// areNucleotides guesses whether the sequences are nucleotides, as the help explains.
func areNucleotides(files ...[]seq.Record) bool {
	var count [256]int
	for _, records := range files {
		for i := range records {
			for _, letter := range records[i].Letters {
				count[letter]++
			}
		}
	}
	all, plain := 0, 0
	for letter, n := range count {
		switch {
		case n == 0:
			continue
		case strings.IndexByte(plainNucleotides, byte(letter)) >= 0:
			plain += n
		case strings.IndexByte(nucleotideLetters, byte(letter)) < 0:
			return false
		}
		all += n
	}
	return 10*plain >= 9*all
}

// scoring returns the scoring of alignments of the sequences. Its matrix has all their letters.
func (c *Command) scoring(files ...[]seq.Record) (s align.Scoring, err error) {
	s.Mode = align.Mode(c.Mode)
	if s.Free, err = c.ends(); err != nil {
		return s, app.InputError(err)
	}
	m, nucleotides, err := c.matrix(files...)
	if err != nil {
		return s, app.InputError(err)
	}
	if s.Open, s.Extend, err = c.costs(nucleotides); err != nil {
		return s, err
	}
	if c.UnknownAs != "" {
		if m, err = m.WithUnknownAs(c.UnknownAs[0]); err != nil {
			return s, app.InputErrorf("--unknown-as: %w", err)
		}
	}
	s.Matrix = m
	for _, records := range files {
		for i := range records {
			if err := m.Check(&records[i]); err != nil {
				return s, app.InputError(advise(err))
			}
		}
	}
	return s, nil
}

// advise adds to an error about an unknown letter how to treat such letters.
func advise(err error) error {
	unknown := new(subst.UnknownError)
	if !errors.As(err, &unknown) {
		return err
	}
	for _, letter := range []byte("XN") {
		if unknown.Matrix.Has(letter) {
			return fmt.Errorf("%w (--unknown-as %c treats such letters as %[2]c)", err, letter)
		}
	}
	return err
}

// maxRodinia is the largest length for --rodinia.
const maxRodinia = 1 << 22

// rodiniaGap is the cost of a letter of a gap in Rodinia's examples.
const rodiniaGap = 10

// rodinia returns the pair of --rodinia.
func (c *Command) rodinia() seq.Pair {
	if c.Interleaved {
		return seq.RodiniaInterleaved(c.Rodinia)
	}
	return seq.Rodinia(c.Rodinia)
}

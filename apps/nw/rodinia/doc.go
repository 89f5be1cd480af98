// Package rodinia makes the sequences that the Needleman-Wunsch program of
// the Rodinia benchmarks aligns, letter by letter, so that results can be
// compared with those of that program (its matrix is subst's BLOSUM62, and
// its gap cost linear). Start with Sequences.
package rodinia

// Package subst has the substitution matrices of the alignment application:
// what a letter of one sequence against a letter of the other is worth. Start
// with Lookup, which knows the usual ones by name, Parse and Open, which read
// the text format of NCBI, and DNA, which makes one of two numbers.
//
// # The matrices that come along
//
// BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70 and PAM250
// are the files that NCBI publishes for BLAST (works of the United States
// government, in the public domain), with the letters
// ARNDCQEGHILKMFPSTWYVBZX*. They agree, number by number, with those of EMBOSS
// (EBLOSUM62, ...), Biopython and parasail. The NCBI C++ toolkit compiles
// other tables into its programs: they have a column for J, all of X is -1,
// and BLOSUM80 is in half bits instead of thirds.
//
// DNAFULL is the matrix of EMBOSS for nucleotides (EDNAFULL; NUC.4.4 of NCBI
// with U): 5 for the same base, -4 for others, and all of the IUPAC codes.
//
// Sources: S. and J. G. Henikoff, Amino acid substitution matrices from
// protein blocks, PNAS 89 (1992); M. O. Dayhoff et al., A model of
// evolutionary change in proteins, Atlas of Protein Sequence and Structure 5
// (1978).
//
// # The text format
//
// Lines that start with '#' are comments, and empty lines do not count. The
// first other line holds the letters of the columns, A to Z and '*', in any
// case. Each line after it is a row: its letter, and an integer for every
// column. The row's letter is that of the first sequence, the column's that
// of the second; the two orders may differ, and so may the score of R against
// K and of K against R. Rows and columns have the same letters, so that both
// sequences can hold all of them.
package subst

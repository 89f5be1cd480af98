// Package subst has the substitution matrices of the alignment application: the scores of
// a letter of one sequence and a letter of the other. Start with Lookup, which knows the
// usual ones by name, with Parse and Open, which read NCBI's text format, or with DNA, which
// makes a matrix from two numbers.
//
// # The known matrices
//
// BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70 and PAM250 are the files
// that NCBI publishes for BLAST (works of the United States government, in the public
// domain), with the letters ARNDCQEGHILKMFPSTWYVBZX*. Their numbers equal those of EMBOSS
// (EBLOSUM62, ...), Biopython and parasail. The NCBI C++ toolkit compiles other tables into
// its programs: they have a column for J, all scores of X are -1, and BLOSUM80 is in half
// bits instead of thirds.
//
// DNAFULL is EMBOSS's matrix for nucleotides (EDNAFULL; NUC.4.4 of NCBI with U): 5 for equal
// bases, -4 for different ones, and all IUPAC codes. matrices.txtar has the files.
//
// Sources: S. and J. G. Henikoff, Amino acid substitution matrices from protein blocks,
// PNAS 89 (1992); M. O. Dayhoff et al., A model of evolutionary change in proteins, Atlas of
// Protein Sequence and Structure 5 (1978).
//
// # The text format
//
// Lines that start with '#' are comments; empty lines are ignored. The first other line has
// the letters of the columns, A to Z and '*', in any case. Each line after it is a row: its
// letter, and an integer for every column. The letter of the row is that of the first
// sequence, the letter of the column that of the second one. The orders of rows and columns
// may differ, and so may the scores of R, K and of K, R. Rows and columns must have the same
// letters, so that both sequences can have all of them.
package subst

// Package seq reads sequences from FASTA files, pairs those to be aligned, and makes the
// sequences of the Rodinia benchmark. Start with Read and Pairs.
//
// Read accepts:
//
//   - A sequence is a line that starts with '>' and has its name, up to the first blank, and
//     a comment, and after it any number of lines of letters. Lines end with LF or CR LF
//     and may be of any length.
//   - Letters are A to Z and '*', a stop. Lower case, with which programs mask repeats,
//     means the same letters; Letters has them in upper case. Which letters have a score
//     depends on the matrix (package subst).
//   - Blanks, tabs, empty lines, and lines that start with ';', the comments of the
//     format's first program, are ignored.
//   - The file may be compressed with gzip or bgzip. Its first bytes decide, not its name.
//
// Read refuses, with file:line:column and what to do: '-' and '.', the gaps of aligned
// sequences; all other characters; a sequence without a name or without letters; letters
// before the first name; a file without sequences; truncated or damaged gzip data.
//
// The letters of a plain file are stored once, in memory of the file's size, which the
// records share.
package seq

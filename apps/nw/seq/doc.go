// Package seq reads the sequences of the alignment application from FASTA,
// and says which of them are to be aligned with which. Start with Read and
// Pairs.
//
// What is accepted:
//
//   - A sequence is a line that starts with '>' and holds its name, up to the
//     first blank, and a comment, and after it any number of lines of letters.
//     They end with LF or with CR LF, and may be of any length.
//   - Letters are A to Z and '*', a stop. Lower case, which programs use to
//     mask repeats, means the same letters: Letters holds them in upper case.
//     Which of them have a score is the matter of a matrix (package subst).
//   - Blanks, tabs and empty lines do not count, and neither do lines that
//     start with ';', the comments of the format's first program.
//   - The file may be compressed with gzip, or with bgzip; its first bytes
//     tell, not its name.
//
// What is refused, with file:line:column and what to do: '-' and '.', the gaps
// of sequences that are aligned already; every other character; a sequence
// without a name or without letters; letters before the first name; a file
// without sequences; gzip data that are cut off or damaged.
//
// The letters of a file are held once: those of a plain file are written to
// memory of the file's size, and the records share it.
package seq

// Coverset chooses the subjects of the suite of skeletons that continuous integration runs.
//
// For each kind of device it runs each subject in a process of its own with -cover, and
// notes the statements of the library that the subject executes and the processor time that
// it takes. Then it chooses subjects greedily, always the one that adds most statements for
// its time, until the chosen ones execute as many as all, or the share of them that the kind
// asks for. It writes the result to skel/skeltest/subjects.txt, from which the Makefile reads
// the lists:
//
//	cd tools && go run ./coverset
//
// This takes tens of minutes. Run it again when subjects are added or when large parts of the
// library are new; the tests of this package find subjects that no longer exist. With -only,
// coverset measures these kinds only and keeps the others as they are.
package main

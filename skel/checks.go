package skel

import "fmt"

// firstError returns the first error that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sameLength panics if the lengths a and b differ.
func sameLength(f *function, a, b int) {
	if a != b {
		panic(fmt.Sprintf("skel: %s: lengths differ: %d and %d", f.label, a, b))
	}
}

// sameShape panics if the shapes of a and b differ.
func sameShape(f *function, a, b shaped) {
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() {
		panic(fmt.Sprintf("skel: %s: shapes differ: %d x %d and %d x %d",
			f.label, a.Rows(), a.Cols(), b.Rows(), b.Cols()))
	}
}

// shaped is a matrix or a source of one.
type shaped interface {
	Rows() int
	Cols() int
}

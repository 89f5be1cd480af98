package nw_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/apps/nw"
	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
	"github.com/skelgo/skelgo/devices"
)

func options() nw.Options {
	blosum, err := subst.Lookup("BLOSUM62")
	if err != nil {
		panic(err)
	}
	cpu, err := devices.Get("cpu")
	if err != nil {
		panic(err)
	}
	return nw.Options{
		Scoring: align.Scoring{Matrix: blosum, Open: 3, Extend: 3, Mode: align.Global},
		Path:    true, Count: true, Devices: cpu,
	}
}

var pair = seq.Pair{
	A: &seq.Record{Name: "a", Letters: []byte("SYEDVV"), File: "a.fasta", Line: 1},
	B: &seq.Record{Name: "b", Letters: []byte("NYCDV"), File: "b.fasta", Line: 1},
}

func ExampleAlign() {
	err := nw.Align(context.Background(), []seq.Pair{pair}, options(), func(a *align.Alignment) error {
		fmt.Println(a.Score, a.Path, "one of", a.Count)
		return nil
	})
	fmt.Println(err)
	// Output:
	// 11 1X1=1X1=1D1= one of 2
	// <nil>
}

func ExampleSizeError() {
	o := options()
	o.Open, o.Extend = 50_000_000, 1
	err := nw.Align(context.Background(), []seq.Pair{pair}, o, func(*align.Alignment) error { return nil })
	var size *nw.SizeError
	fmt.Println(errors.As(err, &size))
	fmt.Println(size.Pair.A.Name, size.Pair.B.Name)
	// Output:
	// true
	// a b
}

func ExampleMatrix() {
	scores, rows, cols, err := nw.Matrix(context.Background(), pair, options())
	fmt.Println(scores[len(scores)-1], rows, cols, err)
	// Output: 11 6 5 <nil>
}

func ExampleTies() {
	t, err := nw.ParseTies("up, diagonal, left")
	fmt.Println(t, err)
	o := options()
	o.Ties, o.Count = t, false
	_ = nw.Align(context.Background(), []seq.Pair{pair}, o, func(a *align.Alignment) error {
		fmt.Println(a.Path)
		return nil
	})
	// Output:
	// up,diagonal,left <nil>
	// 1X1=1X2=1D
}

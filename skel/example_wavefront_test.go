package skel_test

import (
	"fmt"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// words holds two words to compare.
type words struct{ A, B vector.View[byte] }

// edits is the cell of the edit distance: how many letters of one word must be changed,
// deleted or inserted to get the other.
func edits(nw, n, w int32, i, j int, x words) int32 {
	if x.A.At(i) == x.B.At(j) {
		return nw
	}
	return 1 + min(nw, n, w)
}

func editsBeyond(t, i, j int, x words) int32 { return int32(i + j + 2) }

func letterOfA(_, i int, x words) byte { return x.A.At(i) }
func letterOfB(_, j int, x words) byte { return x.B.At(j) }

func editsOf(nw, n, w int32, a, b byte, x words) int32 {
	if a == b {
		return nw
	}
	return 1 + min(nw, n, w)
}

var (
	distances = skel.NewWavefrontWith(edits, editsBeyond)
	faster    = skel.NewWavefrontOfWith(letterOfA, letterOfB, editsOf, editsBeyond)
)

func ExampleWavefront() {
	a, b := vector.From([]byte("sitting")), vector.From([]byte("kitten"))
	table := distances.With(words{a.View(), b.View()}).Apply(a.Len(), b.Len())
	fmt.Println(table.At(6, 5))

	bottom, _ := faster.With(words{a.View(), b.View()}).Ends([]skel.Table{{Rows: 7, Cols: 6}})
	fmt.Println(bottom.At(5)) // computes the last row and keeps no table
	// Output:
	// 3 <nil>
	// 3 <nil>
}

func ExampleNewWavefront() {
	// How many ways lead to each square of a board for a piece that moves right or down.
	ways := skel.NewWavefront(
		func(_, n, w int, _, _ int) int { return n + w },
		func(_, i, j int) int {
			if i == -1 && j == 0 { // one enters from above
				return 1
			}
			return 0
		})
	board := ways.Apply(3, 4)
	for i := range 3 {
		fmt.Println(board.Row(i))
	}
	// Output:
	// [1 1 1 1] <nil>
	// [1 2 3 4] <nil>
	// [1 3 6 10] <nil>
}

func ExampleTable() {
	a, b := vector.From([]byte("sittingtorn")), vector.From([]byte("kittenstern"))
	both := []skel.Table{{Rows: 7, Cols: 6}, {Row: 7, Col: 6, Rows: 4, Cols: 5}} // sitting, kitten; torn, stern
	bottom, _ := faster.With(words{a.View(), b.View()}).Ends(both)
	fmt.Println(bottom.At(5))
	fmt.Println(bottom.At(6 + 4))
	// Output:
	// 3 <nil>
	// 2 <nil>
}

package align_test

import (
	"fmt"
	"os"

	"github.com/skelgo/skelgo/apps/nw/align"
	"github.com/skelgo/skelgo/apps/nw/seq"
	"github.com/skelgo/skelgo/apps/nw/subst"
)

var pair = seq.Pair{
	A: &seq.Record{Name: "SYE", Letters: []byte("SYEDVV")},
	B: &seq.Record{Name: "NYC", Letters: []byte("NYCDV")},
}

func ExampleAlignment_Rescore() {
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		fmt.Println(err)
		return
	}
	a := align.New(pair, 0, align.Cigar{{Op: align.Aligned, N: 5}, {Op: align.Delete, N: 1}})
	fmt.Println(a.Rescore(align.Scoring{Matrix: m, Open: 3, Extend: 3, Mode: align.Global}))
	fmt.Println(a.Rescore(align.Scoring{Matrix: m, Open: 11, Extend: 1, Mode: align.Global}))
	// The last V of SYE may be left out.
	fmt.Println(a.Rescore(align.Scoring{Matrix: m, Open: 11, Extend: 1, Mode: align.SemiGlobal, Free: align.AllEnds}))
	// Output:
	// 11 <nil>
	// 3 <nil>
	// 14 <nil>
}

func ExampleCigar() {
	// A traceback goes from the end to the start.
	var path align.Cigar
	path.Add(align.Delete, 1)
	for range 5 {
		path.Add(align.Aligned, 1)
	}
	path.Reverse()
	path = path.Resolve(pair.A.Letters, pair.B.Letters)
	fmt.Println(path, path.Length(), path.Identity(), path.Gaps())
	// Output: 1X1=1X2=1D 6 3 1
}

func ExampleParseCigar() {
	path, err := align.ParseCigar("1X1=1X2=1D")
	fmt.Println(path.LenA(), path.LenB(), err)
	_, err = align.ParseCigar("1X3S")
	fmt.Println(err)
	// Output:
	// 6 5 <nil>
	// "1X3S" is not a CIGAR path: character 4 is 'S'; the kinds of columns are =, X, I, D and M
}

func ExampleNewWriter() {
	m, err := subst.Lookup("BLOSUM62")
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := align.ParseCigar("1X1=1X2=1D")
	if err != nil {
		fmt.Println(err)
		return
	}
	job := align.Job{
		Scoring: align.Scoring{Matrix: m, Open: 3, Extend: 3, Mode: align.Global},
		Pairs:   []seq.Pair{pair},
	}
	w, err := align.NewWriter(os.Stdout, align.PAF, job)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Write(align.New(pair, 11, path)); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// NYC	5	0	5	+	SYE	6	0	6	3	6	255	AS:i:11	NM:i:3	cg:Z:1X1=1X2=1D
}

func ExampleFormat() {
	for _, f := range align.Formats() {
		fmt.Println(f, f.NeedsPath())
	}
	// Output:
	// pair true
	// sam true
	// paf false
	// tsv false
	// json false
}

func ExampleEnds() {
	// A read anywhere in a reference.
	fmt.Println(align.Ends{StartA: true, EndA: true})
	// Output: start_a,end_a
}

package matrix_test

import (
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

// cpu returns a distribution that puts the containers of the examples on the CPU, so that
// they run everywhere. By default containers are on the default device.
func cpu() vector.Distribution {
	found, err := devices.Get("cpu")
	if err != nil {
		panic(err)
	}
	return vector.Single(found[0])
}

func Example() {
	m := matrix.From(2, 3, []float32{
		1, 2, 3,
		4, 5, 6,
	}, cpu())
	sum := skel.NewReduce(func(a, b float32) float32 { return a + b }, 0)
	rows, err := sum.Rows(m).Host()
	fmt.Println(rows, err)
	cols, err := sum.Cols(m).Host()
	fmt.Println(cols, err)
	// Output:
	// [6 15] <nil>
	// [5 7 9] <nil>
}

func ExampleMatrix() {
	m := matrix.New[int](3, 2, cpu())
	defer m.Free()
	_ = m.Set(1, 1, 7) // errors stick to the matrix, so the check can wait
	row, err := m.Row(1)
	fmt.Println(m)
	fmt.Println(row, err)
	// Output:
	// 3 x 2 matrix, vector of 6 int on cpu
	// [0 7] <nil>
}

// Columns are centred by subtracting their means, which repeat as a row.
func ExampleRepeatRow() {
	minus := skel.NewZip(func(x, mean float64) float64 { return x - mean })
	m := matrix.From(2, 3, []float64{1, 2, 3, 5, 6, 7}, cpu())
	means := vector.From([]float64{3, 4, 5}, cpu())
	s, err := minus.ApplyMatrix(m, matrix.RepeatRow(means, m.Rows())).Host()
	fmt.Println(s, err)
	// Output: [-2 -2 -2 2 2 2] <nil>
}

// Each row is divided by its sum, which repeats as a column.
func ExampleRepeatCol() {
	divide := skel.NewZip(func(x, sum float64) float64 { return x / sum })
	sum := skel.NewReduce(skel.Sum[float64]())
	m := matrix.From(2, 2, []float64{1, 3, 4, 4}, cpu())
	s, err := divide.ApplyMatrix(m, matrix.RepeatCol(sum.Rows(m), m.Cols())).Host()
	fmt.Println(s, err)
	// Output: [0.25 0.75 0.5 0.5] <nil>
}

// Of views a vector as a matrix; both share the elements.
func ExampleOf() {
	v := vector.From([]int{1, 2, 3, 4, 5, 6}, cpu())
	x, err := matrix.Of(v, 3, 2).At(2, 0)
	fmt.Println(x, err)
	// Output: 5 <nil>
}

func ExampleIndexMatrix() {
	table := skel.NewMap(func(at matrix.Index) int { return (at.Row + 1) * (at.Col + 1) })
	s, err := table.ApplyMatrix(matrix.Indices(3, 4, cpu())).Row(2)
	fmt.Println(s, err)
	// Output: [3 6 9 12] <nil>
}

func ExampleIndex() {
	trace := skel.NewZip(func(at matrix.Index, x float64) float64 {
		if at.Row == at.Col {
			return x
		}
		return 0
	})
	sum := skel.NewReduce(func(a, b float64) float64 { return a + b }, 0)
	m := matrix.From(2, 2, []float64{1, 2, 3, 4}, cpu())
	x, err := sum.ApplyMatrix(trace.ApplyMatrix(matrix.Indices(2, 2, cpu()), m)).Value()
	fmt.Println(x, err)
	// Output: 5 <nil>
}

// A view lets a function read any element.
func ExampleView() {
	transpose := skel.NewMapWith(func(at matrix.Index, m matrix.View[int]) int { return m.At(at.Col, at.Row) })
	m := matrix.From(2, 3, []int{1, 2, 3, 4, 5, 6}, cpu())
	s, err := transpose.With(m.View()).ApplyMatrix(matrix.Indices(3, 2, cpu())).Host()
	fmt.Println(s, err)
	// Output: [1 4 2 5 3 6] <nil>
}

// An out-view lets a function write any element.
func ExampleOutView() {
	spread := skel.NewZipVoidWith(func(i int, x int, out matrix.OutView[int]) { out.Set(i, i, x) })
	diagonal := matrix.New[int](2, 2, cpu())
	err := spread.With(diagonal.OutView()).Apply(vector.Indices(2, cpu()), vector.From([]int{8, 9}, cpu()))
	s, _ := diagonal.Host()
	fmt.Println(s, err)
	// Output: [8 0 0 9] <nil>
}

// A window lets a function read the neighbours of an element.
func ExampleWindow() {
	below := skel.NewMapOverlapMatrix(func(w matrix.Window[int]) int { return w.At(1, 0) - w.At(0, 0) }, 1, 0)
	m := below.Apply(matrix.From(3, 2, []int{1, 2, 3, 5, 8, 13}, cpu()))
	s, err := m.Host()
	fmt.Println(s, err)
	// Output: [2 3 5 8 0 0] <nil>
}

// The elements are unspecified until something writes them.
func ExampleUninitialized() {
	m := matrix.Uninitialized[int](1, 2, cpu())
	err := m.Vector().Write(0, []int{1, 2})
	fmt.Println(m.Rows(), m.Cols(), err)
	// Output: 1 2 <nil>
}

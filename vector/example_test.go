package vector_test

import (
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices"
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
	v := vector.From([]float32{1, 2, 3}, cpu())
	if err := v.Set(1, 20); err != nil {
		fmt.Println(err)
	}
	s, err := v.Host()
	fmt.Println(v)
	fmt.Println(s, err)
	// Output:
	// vector of 3 float32 on cpu
	// [1 20 3] <nil>
}

func ExampleVector() {
	v := vector.New[int](5, cpu())
	defer v.Free()
	_ = v.Write(2, []int{7, 8}) // errors stick to the vector, so the check can wait
	x, _ := v.At(3)
	part, err := v.HostRange(1, 4)
	fmt.Println(x, part, err)
	// Output: 8 [0 7 8] <nil>
}

// Under mpirun each rank gets, and could write to a file, what its own devices hold.
func ExampleVector_HostParts() {
	v := vector.FromFunc(5, func(first int, dst []int) error {
		for i := range dst {
			dst[i] = 10 * (first + i)
		}
		return nil
	}, cpu())
	defer v.Free()
	for part, err := range v.HostParts(3) {
		fmt.Println(part.First, part.Elements, err)
	}
	// Output:
	// 0 [0 10 20] <nil>
	// 3 [30 40] <nil>
}

// Elements may be structs and arrays of plain data.
func ExampleFrom_structs() {
	type particle struct {
		Position, Velocity [3]float32
		Alive              bool
	}
	v := vector.From([]particle{{Alive: true}, {Position: [3]float32{1, 2, 3}}}, cpu())
	p, err := v.At(1)
	fmt.Println(p.Position, p.Alive, err)
	// Output: [1 2 3] false <nil>
}

func ExampleIndexVector() {
	square := skel.NewMap(func(i int) int { return i * i })
	s, err := square.Apply(vector.Indices(5, cpu())).Host()
	fmt.Println(s, err)
	// Output: [0 1 4 9 16] <nil>
}

func ExampleScalar() {
	sum := skel.NewReduce(func(a, b int) int { return a + b }, 0)
	total := sum.Apply(vector.From([]int{1, 2, 3, 4}, cpu()))
	x, err := total.Value()
	fmt.Println(x, err)
	// Output: 10 <nil>
}

// A view lets a function read any element.
func ExampleView() {
	reverse := skel.NewMapWith(func(i int, v vector.View[rune]) rune { return v.At(v.Len() - 1 - i) })
	v := vector.From([]rune("skeleton"), cpu())
	s, err := reverse.With(v.View()).Apply(vector.Indices(v.Len(), cpu())).Host()
	fmt.Println(string(s), err)
	// Output: noteleks <nil>
}

// An out-view lets a function write any element.
func ExampleOutView() {
	scatter := skel.NewZipVoidWith(func(place int, x float64, out vector.OutView[float64]) { out.Set(place, x) })
	out := vector.New[float64](3, cpu())
	to, x := vector.From([]int{2, 0, 1}, cpu()), vector.From([]float64{0.5, 1.5, 2.5}, cpu())
	err := scatter.With(out.OutView()).Apply(to, x)
	s, _ := out.Host()
	fmt.Println(s, err)
	// Output: [1.5 2.5 0.5] <nil>
}

func ExampleSingle() {
	found, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := vector.New[uint8](10, vector.Single(found[0]))
	fmt.Println(v.Device(), v.Distribution() == vector.Single(found[0]))
	// Output: cpu true
}

func ExampleScalar_Later() {
	s := vector.NewScalar(1.5)
	before := s.Later()
	if err := s.Set(2.5); err != nil {
		panic(err)
	}
	fmt.Println(before())
	fmt.Println(s.Value())
	// Output:
	// 1.5 <nil>
	// 2.5 <nil>
}

func ExampleScalar_Set() {
	s := vector.NewScalar(1.5)
	fmt.Println(s.Value())
	fmt.Println(s.Set(2.5))
	fmt.Println(s.Value())
	// Output:
	// 1.5 <nil>
	// <nil>
	// 2.5 <nil>
}

// A function of rows can be called from ordinary Go code.
func ExampleRow() {
	dot := func(a, b vector.Row[float32]) (sum float32) {
		for k := range a.Len() {
			sum += a.At(k) * b.At(k)
		}
		return sum
	}
	fmt.Println(dot(vector.RowOf([]float32{1, 2, 3}), vector.RowOf([]float32{4, 5, 6})))
	// Output: 32
}

// A window lets a function read the neighbours of an element.
func ExampleWindow() {
	rises := skel.NewMapOverlap(func(w vector.Window[float64]) bool { return w.At(0) > w.At(-1) }, 1)
	s, err := rises.Apply(vector.From([]float64{1, 3, 2, 5}, cpu())).Host()
	fmt.Println(s, err)
	// Output: [false true false true] <nil>
}

func ExamplePadding() {
	v := vector.From([]int{1, 2, 3}, cpu())
	before := skel.NewMapOverlap(func(w vector.Window[int]) int { return w.At(-1) }, 1)
	for _, p := range []vector.Padding{vector.Nearest, vector.Neutral, vector.Wrap} {
		s, err := before.Padding(p).Apply(v).Host()
		fmt.Println(p, s, err)
	}
	s, err := before.Neutral(-7).Apply(v).Host()
	fmt.Println("-7:", s, err)
	// Output:
	// nearest [1 1 2] <nil>
	// neutral [0 1 2] <nil>
	// wrap [3 1 2] <nil>
	// -7: [-7 1 2] <nil>
}

// Reading beyond the radius is an error of the result.
func ExampleWindow_beyond() {
	far := skel.NewMapOverlap(func(w vector.Window[int]) int { return w.At(2) }, 1).Padding(vector.Wrap)
	var check *devices.CheckError
	fmt.Println(errors.As(far.Apply(vector.From([]int{1, 2, 3}, cpu())).Wait(), &check), check.Index, check.Bound)
	// Output: true 2 1
}

// The elements are unspecified until something writes them.
func ExampleUninitialized() {
	v := vector.Uninitialized[int](3, cpu())
	err := v.Write(0, []int{1, 2, 3})
	s, _ := v.Host()
	fmt.Println(s, err)
	// Output: [1 2 3] <nil>
}

func ExampleDistribution_Part() {
	d := cpu()
	for k, dev := range d.Devices() {
		lo, hi := d.Part(10, k)
		fmt.Println(dev, lo, hi)
	}
	// Output: cpu 0 10
}

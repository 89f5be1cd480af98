package devices_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

func ExampleGet() {
	devs, err := devices.Get("cpu")
	fmt.Println(devs, err)

	_, err = devices.Get("cpu:7")
	fmt.Println(errors.As(err, new(*devices.NotFoundError)))
	// Output:
	// [cpu] <nil>
	// true
}

func ExampleNotFoundError() {
	err := &devices.NotFoundError{Spec: "cuda:0", Found: []string{"opencl:0", "cpu"},
		Reason: "cuda has no devices: libcuda.so.1 was not found"}
	fmt.Println(err)
	// Output: no device "cuda:0": cuda has no devices: libcuda.so.1 was not found; available: opencl:0, cpu
}

func ExampleDevice() {
	devs, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	cpu := devs[0]
	x, err := cpu.Alloc(4 * 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer x.Free()
	if err := x.Write(0, driver.Bytes([]int32{1, 2, 3, 4, 5})); err != nil {
		fmt.Println(err)
	}
	s := driver.Slice[int32](x.Bytes())
	err = cpu.Launch(devices.Launch{
		Name:  "square",
		Label: "map(square)",
		Grid:  driver.Grid{Groups: 2},
		Go: func(g driver.Group) {
			for lo, hi := g.Range(5); lo < hi; lo++ {
				s[lo] *= s[lo]
			}
		},
	})
	y := make([]int32, 5)
	fmt.Println(err, x.Read(0, driver.Bytes(y)), y)
	// Output: <nil> <nil> [1 4 9 16 25]
}

func ExampleLaunch() {
	gpu := drivertest.NewFake(drivertest.Options{Name: "gpu"})
	d := devices.Wrap("gpu:0", gpu.Device(0))
	defer d.Close()
	n, _ := d.Alloc(1024)
	defer n.Free()
	square := devices.Launch{
		Name: "square",
		Key:  "square/1",
		C: func() string {
			fmt.Println("wanted once")
			return "KERNEL square(CTX_K GLOBAL i32 *x, i64 n) { ... }"
		},
		Grid: driver.Grid{Groups: 4, Lanes: 64},
		Args: []driver.Arg{n.Arg(), driver.Value(int64(256))},
	}
	fmt.Println(d.Launch(square), d.Launch(square), d.Sync())
	// Output:
	// wanted once
	// <nil> <nil> <nil>
}

func ExampleBuffer() {
	devs, _ := devices.Get("cpu")
	a, _ := devs[0].Alloc(8)
	b, _ := devs[0].Alloc(8)
	a.Write(0, []byte("skeleton"))
	b.Copy(0, a, 4, 4)
	b.Copy(4, a, 0, 4)
	p := make([]byte, b.Len())
	b.Read(0, p)
	fmt.Printf("%s on %v\n", p, b.Device())
	a.Free()
	b.Free()
	// Output: etonskel on cpu
}

func ExampleStats() {
	devs, _ := devices.Get("cpu")
	before := devs[0].Stats()
	b, _ := devs[0].Alloc(1000)
	b.Write(0, make([]byte, 400))
	s := devs[0].Stats().Sub(before)
	fmt.Println(s.Uploads, s.UploadBytes, s.LiveBuffers, s.LiveBytes)
	b.Free()
	// Output: 1 400 1 1000
}

func ExampleMemoryError() {
	devs, _ := devices.Get("cpu")
	_, err := devs[0].Alloc(1 << 60)
	if e, ok := errors.AsType[*devices.MemoryError](err); ok {
		fmt.Println(e.Device, e.Asked, e.Free <= e.Total)
	}
	// Output: cpu 1152921504606846976 true
}

func ExampleCheckError() {
	devs, _ := devices.Get("cpu")
	var none []float32
	err := devs[0].Launch(devices.Launch{
		Name: "oops", Label: "map(oops)",
		Grid: driver.Grid{Groups: 1},
		Go:   func(driver.Group) { none[3] = 1 },
	})
	fmt.Println(err)
	// Output: example_test.go:128: index 3 out of range [0, 0) in map(oops) on cpu
}

func ExampleCheckKind() {
	err := error(&devices.CheckError{Device: "opencl:0", Label: "map(f)", Pos: "f.go:3:9", Kind: devices.DivideByZero})
	if e, ok := errors.AsType[*devices.CheckError](err); ok && e.Kind == devices.DivideByZero {
		fmt.Println(err)
	}
	// Output: f.go:3:9: division by zero in map(f) on opencl:0 (found by SKEL_CHECK=1)
}

func ExampleKind() {
	devs, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(devs[0].Kind() == devices.CPU, devs[0].Kind() == devices.GPU)
	// Output: true false
}

func ExampleInfo() {
	devs, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	info := devs[0].Info()
	fmt.Println(info.Kind, info.Native, info.Units > 0)
	// Output: CPU true true
}

func ExampleBytes() {
	devs, err := devices.Get("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float32{1, 2, 3}
	memory, err := devs[0].Alloc(int64(len(devices.Bytes(x))))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer memory.Free()
	y := make([]float32, len(x))
	fmt.Println(memory.Write(0, devices.Bytes(x)), memory.Read(0, devices.Bytes(y)), y)
	// Output: <nil> <nil> [1 2 3]
}

// Under mpirun, each rank sums some of the lists.
func ExamplePerRank() {
	lists := [][]float64{{1, 2, 3, 4, 5, 6}, {10, 20, 30, 40}, {100, 50}, {7}}
	costs := make([]int64, len(lists))
	for i, list := range lists {
		costs[i] = int64(len(list))
	}
	devs, err := devices.Defaults()
	if err != nil {
		fmt.Println(err)
		return
	}
	ranks := devices.Divide(costs, devs)
	results, err := devices.PerRank(devs, func(own []*devices.Device) ([]byte, error) {
		mine := map[int]float64{}
		for i, list := range lists {
			if ranks[i] != devices.Rank() {
				continue
			}
			if mine[i], err = total.Apply(vector.From(list, vector.Single(own[0]))).Value(); err != nil {
				return nil, err
			}
		}
		return json.Marshal(mine)
	})
	sums := map[int]float64{}
	for _, result := range results {
		err = errors.Join(err, json.Unmarshal(result, &sums)) // adds to the map
	}
	fmt.Println(sums, err)
	// Output: map[0:21 1:100 2:150 3:7] <nil>
}

var total = skel.NewReduce(skel.Sum[float64]())

package cuda_test

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/cuda"
	"github.com/skelgo/skelgo/devices/driver"
)

func Example() {
	devs, err := cuda.Driver{}.Devices()
	if err != nil || len(devs) == 0 {
		fmt.Println("[1 4 9 16]") // no device; cuda.Driver{}.Missing() says why
		return
	}
	d := devs[0]
	defer d.Close()
	k, err := d.Build(driver.Program{Name: "square", C: `KERNEL square(CTX_K GLOBAL i32 *x) {
	x[lane_id()] *= x[lane_id()];
}`})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer k.Close()
	x := []int32{1, 2, 3, 4}
	b, err := d.Alloc(16)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Free()
	b.Write(0, driver.Bytes(x))
	k.Launch(driver.Grid{Groups: 1, Lanes: 4}, driver.Memory(b))
	b.Read(0, driver.Bytes(x))
	fmt.Println(x)
	// Output: [1 4 9 16]
}

func ExampleDriver_Missing() {
	if why := (cuda.Driver{}).Missing(); why == "" {
		fmt.Println("there is a GPU")
	} else {
		fmt.Println("there is none, and the reason is known")
	}
}

func ExampleBuildError() {
	err := &cuda.BuildError{Program: "map", Device: "NVIDIA H200",
		Errors: []string{`kmeans.go:31: identifier "x" is undefined`}}
	fmt.Println(err)
	// Output:
	// kmeans.go:31: identifier "x" is undefined
	// cuda: map cannot be built for NVIDIA H200
}

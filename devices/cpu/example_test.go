package cpu_test

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/cpu"
	"github.com/skelgo/skelgo/devices/driver"
)

func ExampleRun() {
	squares := make([]int, 10)
	err := cpu.Run(4, func(g driver.Group) {
		for lo, hi := g.Range(10); lo < hi; lo++ {
			squares[lo] = int(lo * lo)
		}
	})
	fmt.Println(squares, err)
	// Output: [0 1 4 9 16 25 36 49 64 81] <nil>
}

func ExampleDevice() {
	d := cpu.New()
	b, _ := d.Alloc(16)
	b.Write(0, driver.Bytes([]int32{1, 2, 3, 4}))
	k, _ := d.Build(driver.Program{Name: "double", Go: func(g driver.Group, args []driver.Arg) {
		x := driver.Slice[int32](args[0].Buf.(driver.HostMemory).Bytes())
		for lo, hi := g.Range(int64(len(x))); lo < hi; lo++ {
			x[lo] *= 2
		}
	}})
	k.Launch(driver.Grid{Groups: 2}, driver.Memory(b))
	fmt.Println(driver.Slice[int32](b.(*cpu.Buffer).Bytes()), b.Free())
	// Output: [2 4 6 8] <nil>
}

func ExamplePanicError() {
	err := cpu.Run(1, func(driver.Group) {
		var x []int
		x[3] = 1
	})
	fmt.Println(err)
	// Output:
	// example_test.go:39: runtime error: index out of range [3] with length 0 (in cpu_test.ExamplePanicError.func1)
}

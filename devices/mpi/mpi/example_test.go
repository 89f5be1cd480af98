package mpi_test

import (
	"fmt"
	"log"

	"github.com/skelgo/skelgo/devices/mpi/mpi"
)

// Every rank tells its number to the next one.
func Example() {
	world, err := mpi.Init()
	if err != nil {
		log.Fatal(err)
	}
	next := (world.Rank() + 1) % world.Size()
	last := (world.Rank() + world.Size() - 1) % world.Size()

	request, err := world.Isend([]byte{byte(world.Rank())}, next, 0)
	if err != nil {
		log.Fatal(err)
	}
	p := make([]byte, 1)
	if err := world.Recv(p, last, 0); err != nil {
		log.Fatal(err)
	}
	if err := request.Wait(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("rank", world.Rank(), "heard from rank", p[0])
	if err := mpi.Finalize(); err != nil {
		log.Fatal(err)
	}
}

// A program that also runs without a launcher starts MPI only under one.
func ExampleLaunched() {
	by, ok := mpi.Launched()
	if !ok {
		fmt.Println("one process")
		return
	}
	fmt.Println("rank", by.Rank, "of", by.Size)
	// Output: one process
}

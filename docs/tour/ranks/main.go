package main

import (
	"fmt"
	"os"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func square(x float64) float64 { return x * x }

var (
	squares = skel.NewMap(square)
	sum     = skel.NewReduce(skel.Sum[float64]())
)

func run() error {
	x := make([]float64, 2_000_000)
	for i := range x {
		x[i] = float64(i % 1000)
	}
	total, err := sum.Apply(squares.Apply(vector.From(x))).Value()
	if err != nil {
		return err
	}
	if devices.Rank() == 0 {
		fmt.Println(total)
	}
	return devices.Close()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

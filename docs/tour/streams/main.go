package main

import (
	"fmt"
	"math"
	"os"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

//go:generate go tool skelgen

func wide(x float32) float64                 { return float64(x) }
func deviation(x float32, m float64) float64 { return (float64(x) - m) * (float64(x) - m) }

var (
	widened = skel.NewMap(wide)
	squares = skel.NewMapWith(deviation)
	sum     = skel.NewReduce(skel.Sum[float64]())
)

func moments(file string) (mean, deviation float64, err error) {
	x, err := vector.FromFile[float32](file)
	if err != nil {
		return 0, 0, err
	}
	defer x.Free()
	n := float64(x.Len())
	total, err := sum.Apply(widened.Apply(x)).Value()
	if err != nil {
		return 0, 0, err
	}
	mean = total / n
	total, err = sum.Apply(squares.With(mean).Apply(x)).Value() // reads the file again where it must
	return mean, math.Sqrt(total / n), err
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: streams FILE, a .npy, text, or float32 numbers without a header")
		os.Exit(2)
	}
	mean, deviation, err := moments(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(mean, deviation)
}

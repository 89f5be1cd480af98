package benchmark

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/vector"
)

// Concurrently runs f for 0..n-1 on all cores.
func Concurrently(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// Piece is the number of consecutive elements that are compared. Long vectors are
// compared in pieces that are spread over the vector.
const Piece = 4096

// Pieces returns where the pieces of a vector of n elements start. They cover the vector
// if it has at most 2^20 elements. Otherwise there are 256 pieces, among them the first
// and the last.
func Pieces(n int) []int {
	count := min((n+Piece-1)/Piece, 256)
	starts := make([]int, count)
	for i := range starts {
		starts[i] = i * Piece
		if n > 256*Piece {
			starts[i] = int(int64(n-Piece) * int64(i) / int64(count-1))
		}
	}
	return starts
}

// CompareElements compares pieces of a vector with a function of the index.
func CompareElements[T comparable](v *vector.Vector[T], want func(i int) T) error {
	return EachPiece(v, func(lo int, got []T) error {
		for i, x := range got {
			if w := want(lo + i); x != w {
				return fmt.Errorf("element %d is %v, not %v", lo+i, x, w)
			}
		}
		return nil
	})
}

// EachPiece downloads the pieces of a vector one after the other and calls check with
// each. It does not make a host copy, which would need memory for the whole vector.
func EachPiece[T any](v *vector.Vector[T], check func(lo int, got []T) error) error {
	memory, err := v.Memory()
	if err != nil {
		return err
	}
	got := make([]T, Piece)
	size := int64(len(devices.Bytes(got))) / Piece
	for _, lo := range Pieces(v.Len()) {
		part := got[:min(Piece, v.Len()-lo)]
		if err := memory.Read(int64(lo)*size, devices.Bytes(part)); err != nil {
			return err
		}
		if err := check(lo, part); err != nil {
			return err
		}
	}
	return nil
}

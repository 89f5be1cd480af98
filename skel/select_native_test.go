package skel

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/vector"
)

// TestSelectQueue takes pieces on many goroutines, which publish them at odd times.
func TestSelectQueue(t *testing.T) {
	const most = 5*blockPieces + 3
	q := newQueue(most)
	for range 2 { // the second time after reset
		for _, pieces := range []int{0, 1, 2, blockPieces, blockPieces + 1, most} {
			kept, want := make([]int, pieces), make([]int, pieces+1)
			for i := range kept {
				kept[i] = rand.IntN(5)
				want[i+1] = want[i] + kept[i]
			}
			taken := make([]atomic.Int32, pieces)
			var inPlace atomic.Int32
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					var mine []int
					for {
						i, at, ok := q.take(pieces)
						if !ok {
							break
						}
						taken[i].Add(1)
						if at >= 0 {
							inPlace.Add(1)
						}
						if at >= 0 && at != want[i] {
							t.Errorf("%d pieces: piece %d is placed at %d, want %d", pieces, i, at, want[i])
						}
						for range rand.IntN(20) {
							runtime.Gosched()
						}
						q.publish(i, kept[i])
						mine = append(mine, i)
					}
					for _, i := range mine {
						if at, ok := q.before(i, true); !ok || at != want[i] {
							t.Errorf("%d pieces: %d elements before piece %d, %v, want %d", pieces, at, i, ok, want[i])
						}
					}
				})
			}
			wg.Wait()
			for i := range taken {
				if n := taken[i].Load(); n != 1 {
					t.Errorf("piece %d of %d was taken %d times", i, pieces, n)
				}
			}
			if got := q.total(); got != want[pieces] {
				t.Errorf("%d pieces: %d elements in all, want %d", pieces, got, want[pieces])
			}
			if pieces > 0 && inPlace.Load() == 0 {
				t.Errorf("none of %d pieces was compacted in its place", pieces)
			}
			q.reset()
		}
	}
}

func oddNumber(x uint32) bool { return x&1 != 0 }

// TestSelectPieces selects from many pieces.
func TestSelectPieces(t *testing.T) { devicestest.Each(t, testSelectPieces) }

func testSelectPieces(t *testing.T, d *devices.Device) {
	odd := NewFilter(oddNumber)
	for _, n := range []int{1, 32*chunkLen + 1, 600*chunkLen + 7, 1200*chunkLen - 1} {
		in := make([]uint32, n)
		for i := range in {
			in[i] = rand.Uint32() >> (i / (100 * chunkLen) % 4 * 10) // pieces of different costs
			if i/(32*chunkLen)%5 == 3 {
				in[i] |= 1 // all of a piece are kept
			}
		}
		var kept, rest []uint32
		var indices []int
		for i, x := range in {
			if oddNumber(x) {
				kept, indices = append(kept, x), append(indices, i)
			} else {
				rest = append(rest, x)
			}
		}
		x := vector.From(in, vector.Single(d))
		k, r := odd.Partition(x)
		expect(t, n, "Apply", odd.Apply(x), kept)
		expect(t, n, "Indices", odd.Indices(x), indices)
		expect(t, n, "the first of Partition", k, kept)
		expect(t, n, "the second of Partition", r, rest)
	}
}

func expect[T comparable](t *testing.T, n int, what string, v *vector.Vector[T], want []T) {
	t.Helper()
	if got, err := v.Host(); err != nil || !slices.Equal(got, want) {
		t.Errorf("n = %d: %s has %d elements and differs from plain Go's %d: %v", n, what, len(got), len(want), err)
	}
}

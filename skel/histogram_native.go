package skel

import (
	"sync"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// native counts the elements of x on the CPU. Each group counts its part, and adds its
// counts to the result.
func (b *binning[T]) native(d *devices.Device, x *expr[T], at *array.Array, out *vector.Vector[int]) error {
	p := &program{kernel: "histogram", label: b.label}
	p.groups = min(nativeGroups(d, x.n, 1), int64(d.Info().Units), 1+int64(x.n/max(1, b.bins)))
	total := memoryOf(out)
	var edges []T
	if at != nil {
		edges = array.Elements[T](at)[:b.known]
	}
	var mu sync.Mutex
	var done arrivals
	fresh := true // the result still has to be cleared
	p.native = func(g driver.Group) {
		lo, hi := g.Range(int64(x.n))
		withScratch(func(s *scratch) {
			counts := take[int](s, b.bins)
			clear(counts)
			inChunks(s, computed, int(hi-lo), func(from, to int) {
				b.count(counts, edges, x.chunk(s, int(lo)+from, int(lo)+to))
			})
			mu.Lock()
			defer mu.Unlock()
			if fresh {
				copy(total, counts)
			} else {
				for k, n := range counts {
					total[k] += n
				}
			}
			fresh = done.last(g) // for the next run of a loop
		})
	}
	return p.launch(d, x, out, at)
}

// count adds the elements of s to the counts of their bins.
func (b *binning[T]) count(counts []int, edges, s []T) {
	if b.unit {
		for _, x := range s {
			if k := uint64(x) - uint64(b.first); k < uint64(len(counts)) {
				counts[k]++
			}
		}
		return
	}
	for _, x := range s {
		if k, has := b.binOf(edges, x); has {
			counts[k]++
		}
	}
}

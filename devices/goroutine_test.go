package devices_test

import (
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
)

// TestGoroutine checks that goroutines that exist together have different identities, which they keep when
// their stacks move.
func TestGoroutine(t *testing.T) {
	const n = 50
	var mu sync.Mutex
	seen := map[uint64]int{}
	var all, done sync.WaitGroup
	all.Add(n)
	for i := range n {
		done.Go(func() {
			id := devices.Goroutine()
			mu.Lock()
			seen[id] = i
			mu.Unlock()
			all.Done()
			all.Wait()
			if deep := deeper(1000); deep != id {
				t.Errorf("goroutine %d is %#x, and %#x with a larger stack", i, id, deep)
			}
		})
	}
	done.Wait()
	if len(seen) != n {
		t.Errorf("%d goroutines have %d identities", n, len(seen))
	}
}

// deeper asks on a large stack.
func deeper(n int) uint64 {
	var room [128]byte
	if n == 0 {
		return devices.Goroutine()
	}
	room[n%len(room)] = 1
	return deeper(n - int(room[n%len(room)]))
}

package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls f for 0 to n-1, several at a time, and gives the error of one
// that has one, if any has.
func inParallel(n int, f func(i int) error) error {
	const each = 32
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), (n+each-1)/each))
	for w := range errs {
		workers.Go(func() {
			for errs[w] == nil {
				lo := int(next.Add(each)) - each
				if lo >= n {
					return
				}
				for i := lo; i < min(lo+each, n) && errs[w] == nil; i++ {
					errs[w] = f(i)
				}
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

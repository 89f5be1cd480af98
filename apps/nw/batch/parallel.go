package batch

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls f for 0 to n-1, by several goroutines that take so many each, and
// gives the error of one call, if any has one.
func inParallel(n, each int, f func(i int) error) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), (n+each-1)/each))
	for w := range errs {
		workers.Go(func() {
			for errs[w] == nil {
				lo := int(next.Add(int64(each))) - each
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

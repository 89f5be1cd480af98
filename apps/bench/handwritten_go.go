package bench

import (
	"runtime"
	"sync"
)

// These are the loops that a Go programmer writes: a goroutine for each core, with a plain
// loop over an equal part of the elements.

// parallel runs f on equal parts of 0..n-1, one for each core.
func parallel(n int, f func(part, lo, hi int)) {
	parts := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { f(p, n*p/parts, n*(p+1)/parts) })
	}
	wg.Wait()
}

func handMap(out, x []float32) {
	parallel(len(x), func(_, lo, hi int) {
		out, x := out[lo:hi], x[lo:hi]
		for i, v := range x {
			out[i] = v*v + 1
		}
	})
}

func handZip(out, x, y []float32) {
	parallel(len(x), func(_, lo, hi int) {
		out, x, y := out[lo:hi], x[lo:hi], y[lo:hi]
		for i, v := range x {
			out[i] = v * y[i]
		}
	})
}

// handFold adds up the sums of the parts.
func handFold(n int, sum func(lo, hi int) float32) float32 {
	partial := make([]float32, runtime.GOMAXPROCS(0))
	parallel(n, func(part, lo, hi int) { partial[part] = sum(lo, hi) })
	var s float32
	for _, p := range partial {
		s += p
	}
	return s
}

func handReduce(x []float32) float32 {
	return handFold(len(x), func(lo, hi int) (s float32) {
		for _, v := range x[lo:hi] {
			s += v
		}
		return s
	})
}

// handReduce4 is handReduce with four partial sums, so that an addition does not wait for
// the one before.
func handReduce4(x []float32) float32 {
	return handFold(len(x), func(lo, hi int) float32 {
		var s [4]float32
		x := x[lo:hi]
		for ; len(x) >= 4; x = x[4:] {
			s[0] += x[0]
			s[1] += x[1]
			s[2] += x[2]
			s[3] += x[3]
		}
		for _, v := range x {
			s[0] += v
		}
		return s[0] + s[1] + s[2] + s[3]
	})
}

func handDot(x, y []float32) float32 {
	return handFold(len(x), func(lo, hi int) (s float32) {
		x, y := x[lo:hi], y[lo:hi]
		for i, v := range x {
			s += v * y[i]
		}
		return s
	})
}

// handDot4 is handDot with four partial sums.
func handDot4(x, y []float32) float32 {
	return handFold(len(x), func(lo, hi int) float32 {
		var s0, s1, s2, s3 float32
		x, y := x[lo:hi], y[lo:hi]
		for len(x) >= 4 && len(y) >= 4 {
			s0 += x[0] * y[0]
			s1 += x[1] * y[1]
			s2 += x[2] * y[2]
			s3 += x[3] * y[3]
			x, y = x[4:], y[4:]
		}
		for i, v := range x {
			s0 += v * y[i]
		}
		return s0 + s1 + s2 + s3
	})
}

// handFilter compacts each part where it begins, without branches, and then moves the parts
// together. It returns the number of elements that are kept.
func handFilter(out, x []float32) (kept int) {
	parts := runtime.GOMAXPROCS(0)
	from, counts := make([]int, parts), make([]int, parts)
	parallel(len(x), func(part, lo, hi int) {
		k, out := 0, out[lo:hi]
		for _, v := range x[lo:hi] {
			out[k] = v
			if v > 0 {
				k++
			}
		}
		from[part], counts[part] = lo, k
	})
	for p, k := range counts {
		copy(out[kept:], out[from[p]:from[p]+k])
		kept += k
	}
	return kept
}

// handScan adds up each part except the last, and then scans each part, starting from the
// sum of the parts before it.
func handScan(out, x []float32) {
	sums := make([]float32, runtime.GOMAXPROCS(0))
	parallel(len(x), func(part, lo, hi int) {
		if part == len(sums)-1 {
			return
		}
		var s float32
		for _, v := range x[lo:hi] {
			s += v
		}
		sums[part] = s
	})
	parallel(len(x), func(part, lo, hi int) {
		var s float32
		for _, v := range sums[:part] {
			s += v
		}
		out, x := out[lo:hi], x[lo:hi]
		for i, v := range x {
			s += v
			out[i] = s
		}
	})
}

// handWrittenTask is a hand-written version of a task.
type handWrittenTask struct {
	task, impl string
	run        func() error              // makes the call and waits for its end
	result     func() ([]float32, error) // of the last run: the elements, or one number
}

// loops returns the tasks as Go loops.
func loops(x, y []float32) []handWrittenTask {
	out, sum := make([]float32, len(x)), make([]float32, 1)
	elements := func(task string, f func()) handWrittenTask {
		return handWrittenTask{task, "hand", func() error { f(); return nil },
			func() ([]float32, error) { return out, nil }}
	}
	number := func(task, impl string, f func() float32) handWrittenTask {
		return handWrittenTask{task, impl, func() error { sum[0] = f(); return nil },
			func() ([]float32, error) { return sum, nil }}
	}
	kept := 0
	return []handWrittenTask{
		elements("Map", func() { handMap(out, x) }),
		elements("Zip", func() { handZip(out, x, y) }),
		number("Reduce", "hand", func() float32 { return handReduce(x) }),
		number("Reduce", "hand4", func() float32 { return handReduce4(x) }),
		elements("Scan", func() { handScan(out, x) }),
		{"Filter", "hand", func() error { kept = handFilter(out, x); return nil },
			func() ([]float32, error) { return out[:kept], nil }},
		number("Dot", "hand", func() float32 { return handDot(x, y) }),
		number("Dot", "hand4", func() float32 { return handDot4(x, y) }),
	}
}

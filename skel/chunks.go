package skel

// chunkLen is the number of elements that the CPU computes at a time if one loop reads
// the result of another: few enough for the first-level cache.
const chunkLen = 1024

// windowedLen is the number of elements of a pending input that are computed at a time.
// The rows around them are computed again for the next elements.
const windowedLen = 1 << 15

// inChunks calls f for consecutive ranges of [0, n): a single range if the input is in
// memory, otherwise ranges so small that an intermediate result stays in the cache.
func inChunks(s *scratch, k kind, n int, f func(from, to int)) {
	if k == memory {
		f(0, n)
		return
	}
	step := chunkLen
	if k == windowed {
		step = windowedLen
	}
	m := s.mark()
	for from := 0; from < n; from += step {
		f(from, min(from+step, n))
		s.release(m)
	}
}

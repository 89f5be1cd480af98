package array

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRanges compares random sets of spans with a bitmap.
func TestRanges(t *testing.T) {
	const size = 100
	rapid.Check(t, func(t *rapid.T) {
		var r ranges
		var bits [size]bool
		draw := func() (lo, hi int64) {
			lo = rapid.Int64Range(0, size).Draw(t, "lo")
			return lo, rapid.Int64Range(0, size).Draw(t, "hi") // hi < lo adds nothing
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				lo, hi := draw()
				r.add(lo, hi)
				for i := lo; i < hi; i++ {
					bits[i] = true
				}
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "clear") == 0 {
					r.clear()
					clear(bits[:])
				}
			},
			"missing": func(t *rapid.T) {
				lo, hi := draw()
				var got []int64
				for _, s := range r.missing(nil, lo, hi) {
					if s.lo >= s.hi {
						t.Fatalf("missing(nil, %d, %d) returns the empty span [%d, %d)", lo, hi, s.lo, s.hi)
					}
					for i := s.lo; i < s.hi; i++ {
						got = append(got, i)
					}
				}
				var want []int64
				for i := lo; i < hi; i++ {
					if !bits[i] {
						want = append(want, i)
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("missing(nil, %d, %d) covers %v, want %v", lo, hi, got, want)
				}
			},
			"": func(t *rapid.T) {
				for i, s := range r.spans {
					if s.lo >= s.hi || i > 0 && s.lo <= r.spans[i-1].hi {
						t.Fatalf("spans %v, want sorted spans with gaps between them", r.spans)
					}
				}
			},
		})
	})
}

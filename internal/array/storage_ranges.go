package array

import "slices"

// span is the half-open interval [lo, hi).
type span struct{ lo, hi int64 }

// ranges is a set of integers, stored as sorted spans that do not touch.
type ranges struct {
	spans []span
	one   [1]span // initial memory of spans, to save an allocation
}

func (r *ranges) clear() { r.spans = r.spans[:0] }

// add adds [lo, hi) to the set.
func (r *ranges) add(lo, hi int64) {
	if lo >= hi {
		return
	}
	if r.spans == nil {
		r.spans = r.one[:0]
	}
	i, _ := slices.BinarySearchFunc(r.spans, lo, func(s span, x int64) int { return cmpEnd(s.hi, x) })
	j := i
	for ; j < len(r.spans) && r.spans[j].lo <= hi; j++ {
		lo, hi = min(lo, r.spans[j].lo), max(hi, r.spans[j].hi)
	}
	r.spans = slices.Replace(r.spans, i, j, span{lo, hi})
}

func cmpEnd(hi, x int64) int {
	if hi < x {
		return -1
	}
	return 1
}

// missing appends to gaps the parts of [lo, hi) that are not in the set.
func (r *ranges) missing(gaps []span, lo, hi int64) []span {
	for _, s := range r.spans {
		if s.hi <= lo {
			continue
		}
		if s.lo >= hi {
			break
		}
		if lo < s.lo {
			gaps = append(gaps, span{lo, s.lo})
		}
		lo = max(lo, s.hi)
	}
	if lo < hi {
		gaps = append(gaps, span{lo, hi})
	}
	return gaps
}

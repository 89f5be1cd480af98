package skel

import "github.com/skelgo/skelgo/devices/driver"

// searchLen is the number of values that are searched for together on the CPU: few enough
// for what the search needs of them to stay in the first-level cache.
const searchLen = 512

// searchNative returns the native form of boundsOn.
func (o *ordering[T]) searchNative(table []T, x *expr[T], out []int, upper bool) func(driver.Group) {
	return func(g driver.Group) {
		lo, hi := g.Range(int64(x.n))
		withScratch(func(s *scratch) {
			inChunks(s, x.kind, int(hi-lo), func(from, to int) {
				values, found := x.chunk(s, int(lo)+from, int(lo)+to), out[int(lo)+from:int(lo)+to]
				for len(values) > 0 {
					n := min(searchLen, len(values))
					o.search(s, table, values[:n], found[:n], upper)
					values, found = values[n:], found[n:]
				}
			})
		})
	}
}

// search sets found to the bounds of the values. Values that are in order are found on a walk
// along the table. Others are searched for together, so that the loops of the order compare
// many of them at a time.
func (o *ordering[T]) search(s *scratch, table, values []T, found []int, upper bool) {
	m := s.mark()
	defer s.release(m)
	switch {
	case len(table) == 0:
		clear(found)
	case o.ordered(s, values):
		o.walk(table, values, found, upper)
	default:
		o.bisect(s, table, values, found, upper)
	}
}

// ordered reports whether no value must come before the previous one.
func (o *ordering[T]) ordered(s *scratch, values []T) bool {
	if len(values) < 2 {
		return true
	}
	n := len(values) - 1
	keeps := take[bool](s, n)
	o.passing(s, values[1:], true)(keeps, values[:n])
	for _, k := range keeps {
		if !k {
			return false
		}
	}
	return true
}

// walk is search for values in order. Between two of them, it doubles its steps, so it looks
// at few elements for each value, whether the table is shorter or longer than the values.
func (o *ordering[T]) walk(table, values []T, found []int, upper bool) {
	before := o.comparison()
	passes := func(x, v T) bool {
		if upper {
			return !before(v, x)
		}
		return before(x, v)
	}
	lo := 0 // all elements before lo come before the bound
	for i, v := range values {
		hi, step := lo, 1
		for hi < len(table) && passes(table[hi], v) {
			lo = hi + 1
			hi += step
			step *= 2
		}
		for hi = min(hi, len(table)); lo < hi; {
			if middle := (lo + hi) / 2; passes(table[middle], v) {
				lo = middle + 1
			} else {
				hi = middle
			}
		}
		found[i] = lo
	}
}

// bisect is search for values in any order. All searches halve their parts of the table at
// the same time and to the same length, without branches that depend on elements.
func (o *ordering[T]) bisect(s *scratch, table, values []T, found []int, upper bool) {
	at, passes := take[T](s, len(values)), take[bool](s, len(values))
	pass := o.passing(s, values, upper)
	clear(found) // found[i] is the beginning of the part in which the bound of value i is
	for size := len(table); ; {
		half := (size + 1) / 2 // 1 if a single element is left
		for i, k := range found {
			at[i] = table[k+half-1]
		}
		pass(passes, at)
		for i, p := range passes {
			step := 0
			if p {
				step = half
			}
			found[i] += step
		}
		if size == 1 {
			return
		}
		size -= half
	}
}

// passing returns a function that sets passes[i] to whether element at[i] comes before the
// bound of value i.
func (o *ordering[T]) passing(s *scratch, values []T, upper bool) func(passes []bool, at []T) {
	switch {
	case o.bits32 != nil:
		return passingBits(s, o.key, o.bits32, values, upper)
	case o.bits64 != nil:
		return passingBits(s, o.key, o.bits64, values, upper)
	}
	return func(passes []bool, at []T) {
		if upper != o.descending {
			o.lessAll(passes, values, at)
		} else {
			o.lessAll(passes, at, values)
		}
		if upper {
			for i, p := range passes {
				passes[i] = !p
			}
		}
	}
}

// passingBits is passing for the bits of number keys.
func passingBits[T any, B uint32 | uint64](
	s *scratch, key *sortKey, bits func(*sortKey, *scratch, []B, []T), values []T, upper bool,
) func(passes []bool, at []T) {
	wanted, seen := take[B](s, len(values)), take[B](s, len(values))
	bits(key, s, wanted, values)
	return func(passes []bool, at []T) {
		bits(key, s, seen, at)
		if upper {
			for i, b := range seen {
				passes[i] = b <= wanted[i]
			}
			return
		}
		for i, b := range seen {
			passes[i] = b < wanted[i]
		}
	}
}

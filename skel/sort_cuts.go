package skel

import (
	"math"
	"sort"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// cutSamples is the number of elements of a sorted part that the host reads at a time.
const cutSamples = 1024

// cuts returns which elements of the sorted parts belong to each device of p: elements
// cuts[j][k] to cuts[j+1][k]-1 of part k belong to device j. Number keys are compared as the
// devices have computed them.
func (o *ordering[T]) cuts(p *array.Place, parts []*vector.Vector[T]) ([][]int, error) {
	lens := make([]int, len(parts))
	for k, v := range parts {
		lens[k] = v.Len()
	}
	keys := firstKept(lens, func(k, lo, step, n int) ([]uint64, error) {
		return o.on(p, k).sampleKeys(parts[k], lo, step, n)
	})
	elements := firstKept(lens, func(k, lo, step, n int) ([]T, error) {
		return o.on(p, k).sampleElements(parts[k], lo, step, n)
	})
	cuts := [][]int{make([]int, len(parts))}
	for j := 1; j < len(parts); j++ {
		rank, _ := p.Bounds(j)
		var at []int
		var err error
		if o.key != nil {
			at, err = cutAtRank(rank, lens, func(a, b uint64) bool { return a < b }, keys)
		} else {
			at, err = cutAtRank(rank, lens, o.comparison(), elements)
		}
		if err != nil {
			return nil, err
		}
		repairCut(at, cuts[j-1], lens, rank)
		cuts = append(cuts, at)
	}
	return append(cuts, lens), nil
}

// sampler returns n elements of part k, beginning with element lo, step apart.
type sampler[S any] func(k, lo, step, n int) ([]S, error)

// firstKept returns sample, which then reads the samples of whole parts once: every cut begins with
// them.
func firstKept[S any](lens []int, sample sampler[S]) sampler[S] {
	kept := make([][]S, len(lens))
	return func(k, lo, step, n int) ([]S, error) {
		if lo > 0 || n != sampleCount(lens[k], step) {
			return sample(k, lo, step, n)
		}
		var err error
		if kept[k] == nil {
			kept[k], err = sample(k, lo, step, n)
		}
		return kept[k], err
	}
}

// sampleCount returns the number of samples among n elements, of which every step-th is one.
func sampleCount(n, step int) int { return (n + step - 1) / step }

// cutAtRank returns how many elements of every sorted part are among the first rank elements
// of all parts: multiway selection. Each round compares samples of all parts. A sample that has at
// least rank elements before it is not among the first ones, and one with fewer elements
// before it is; so the range in which a part may be cut shrinks to the distance of a few samples.
// A round that does not halve the ranges shows that less is no order, and is the last one:
// otherwise the cuts of few elements could take many rounds, each of which waits for all devices.
func cutAtRank[S any](
	rank int, lens []int, less func(a, b S) bool, sample sampler[S],
) ([]int, error) {
	lo, hi := make([]int, len(lens)), make([]int, len(lens))
	copy(hi, lens)
	samples, steps := make([][]S, len(lens)), make([]int, len(lens))
	for last := math.MaxInt; ; {
		open := 0 // elements in the ranges
		for k := range lens {
			open += hi[k] - lo[k]
		}
		if open == 0 || open > last/2 {
			break
		}
		last = open
		for k := range lens {
			samples[k] = nil
			if n := hi[k] - lo[k]; n > 0 {
				steps[k] = sampleCount(n, cutSamples)
				var err error
				if samples[k], err = sample(k, lo[k], steps[k], sampleCount(n, steps[k])); err != nil {
					return nil, err
				}
			}
		}
		newLo, newHi := make([]int, len(lens)), make([]int, len(lens))
		for k := range lens {
			bounds := func(i int) (least, most int) { // how many elements come before sample i of part k
				x := samples[k][i]
				for l := range lens {
					if l == k {
						least, most = least+lo[k]+i*steps[k], most+lo[k]+i*steps[k]
						continue
					}
					before := sort.Search(len(samples[l]), func(j int) bool {
						y := samples[l][j]
						return !(less(y, x) || l < k && !less(x, y))
					})
					if before > 0 {
						least += lo[l] + (before-1)*steps[l] + 1
					} else {
						least += lo[l]
					}
					if before < len(samples[l]) {
						most += lo[l] + before*steps[l]
					} else {
						most += hi[l]
					}
				}
				return least, most
			}
			inside := sort.Search(len(samples[k]), func(i int) bool { _, most := bounds(i); return most >= rank })
			outside := sort.Search(len(samples[k]), func(i int) bool { least, _ := bounds(i); return least >= rank })
			newLo[k], newHi[k] = lo[k], hi[k]
			if inside > 0 {
				newLo[k] = lo[k] + (inside-1)*steps[k] + 1
			}
			if outside < len(samples[k]) {
				newHi[k] = max(newLo[k], lo[k]+outside*steps[k])
			}
		}
		lo, hi = newLo, newHi
	}
	return lo, nil
}

// repairCut makes a cut contain rank elements and not less of a part than the cut before,
// even if the order is none.
func repairCut(at, before, lens []int, rank int) {
	sum := 0
	for k := range at {
		at[k] = min(max(at[k], before[k]), lens[k])
		sum += at[k]
	}
	for k := range at {
		by := min(max(rank-sum, before[k]-at[k]), lens[k]-at[k])
		at[k] += by
		sum += by
	}
}

// sampleElements returns n elements of v, beginning with element lo, step apart.
func (o *ordering[T]) sampleElements(v *vector.Vector[T], lo, step, n int) ([]T, error) {
	return sampled[T](o, v, lo, step, n, "", func(dst, src []T) { copy(dst, src) })
}

// sampleKeys returns the bits of the keys of such elements.
func (o *ordering[T]) sampleKeys(v *vector.Vector[T], lo, step, n int) ([]uint64, error) {
	return sampled(o, v, lo, step, n, "#define KEYS\n", func(dst []uint64, src []T) {
		for i, x := range src {
			dst[i] = o.bits(o.key, x)
		}
	})
}

// sampled returns samples of v. native computes them on the CPU.
func sampled[T, S any](
	o *ordering[T], v *vector.Vector[T], lo, step, n int, defines string, native func(dst []S, src []T),
) ([]S, error) {
	x := openVector(v)
	m := o.source(x)
	if m.err != nil {
		return nil, m.err
	}
	d := m.device()
	if d.Native() {
		dst := make([]S, n)
		return dst, d.Natively("sortsample", driver.Bytes(dst), func() error {
			src := make([]T, n)
			for i := range src {
				src[i] = x.mem[lo+i*step]
			}
			native(dst, src)
			return nil
		})
	}
	out := uninitialized[S](n, m.where)
	defer out.Free()
	mem, err := arrayOf(out).Output()
	if err != nil {
		return nil, err
	}
	p := newProgram("sortsample", o.fun.label)
	defer p.release()
	p.accessors = append(p.accessors, accessor{name: "load", ctype: o.ctype(), node: x.node})
	o.device(p)
	p.defines += defines
	p.grid, _ = elementGrid(d, n)
	p.args = append(p.args, mem.Arg(), driver.Value(int64(lo)), driver.Value(int64(step)), driver.Value(int64(n)))
	if err := p.launch(d, x, out, o.extra); err != nil {
		return nil, err
	}
	return out.Host()
}

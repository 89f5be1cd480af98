package skel

import (
	"math"
	"slices"
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
	ranks := make([]int, len(parts)-1)
	for j := range ranks {
		_, ranks[j] = p.Bounds(j)
	}
	var all [][]int
	var err error
	if o.key != nil {
		less := func(a, b uint64) bool { return a < b }
		all, err = cutAtRanks(ranks, lens, less, func(of [][]stride) ([][]uint64, error) {
			return sampled(o, p, parts, of, "#define KEYS\n", (*ordering[T]).keyBits)
		})
	} else {
		all, err = cutAtRanks(ranks, lens, o.comparison(), func(of [][]stride) ([][]T, error) {
			return sampled(o, p, parts, of, "", func(_ *ordering[T], x T) T { return x })
		})
	}
	if err != nil {
		return nil, err
	}
	cuts := [][]int{make([]int, len(parts))}
	for j, at := range all {
		repairCut(at, cuts[j], lens, ranks[j])
		cuts = append(cuts, at)
	}
	return append(cuts, lens), nil
}

// keyBits returns the bits of the key of x.
func (o *ordering[T]) keyBits(x T) uint64 { return o.bits(o.key, x) }

// stride is n elements of a part, beginning with element lo, step apart.
type stride struct{ lo, step, n int }

// sampler returns the elements of all strides of each part, one stride after the other.
type sampler[S any] func(of [][]stride) ([][]S, error)

// cutting is the search for the cut at a rank: how many elements of every sorted part are among the first rank
// elements of all parts. It is multiway selection. Each round compares samples of all parts. A sample that has at
// least rank elements before it is not among the first ones, and one with fewer elements
// before it is; so the range in which a part may be cut shrinks to the distance of a few samples.
// A round that does not halve the ranges shows that less is no order, and is the last one:
// otherwise the cuts of few elements could take many rounds, each of which waits for all devices.
type cutting[S any] struct {
	rank    int
	lo, hi  []int // the range in which each part may be cut
	last    int   // elements in the ranges before the last round
	strides []stride
	at      []int // the place of each stride among the samples of its part
	samples [][]S
}

// cutAtRanks returns the cuts at all ranks. They are searched at the same time, so that the host waits for each
// device once a round.
func cutAtRanks[S any](
	ranks, lens []int, less func(a, b S) bool, sample sampler[S],
) (cuts [][]int, err error) {
	var open []*cutting[S]
	for _, rank := range ranks {
		c := &cutting[S]{
			rank: rank, lo: make([]int, len(lens)), hi: slices.Clone(lens), last: math.MaxInt,
			strides: make([]stride, len(lens)), at: make([]int, len(lens)), samples: make([][]S, len(lens)),
		}
		open, cuts = append(open, c), append(cuts, c.lo)
	}
	for {
		of := make([][]stride, len(lens))
		open = slices.DeleteFunc(open, func(c *cutting[S]) bool { return !c.ask(of) })
		if len(open) == 0 {
			return cuts, nil
		}
		got, err := sample(of)
		if err != nil {
			return nil, err
		}
		for _, c := range open {
			for k, s := range c.strides {
				c.samples[k] = got[k][c.at[k]:][:s.n]
			}
			c.shrink(less)
		}
	}
}

// ask adds the strides of the next round to those of all cuts. It returns false if there is no further round.
// In the first one all cuts have the same strides.
func (c *cutting[S]) ask(of [][]stride) bool {
	left := 0
	for k := range c.lo {
		left += c.hi[k] - c.lo[k]
	}
	if left == 0 || left > c.last/2 {
		return false
	}
	c.last = left
	for k := range c.lo {
		n := c.hi[k] - c.lo[k]
		step := (n + cutSamples - 1) / cutSamples
		s := stride{lo: c.lo[k], step: step}
		if n > 0 {
			s.n = (n + step - 1) / step
		}
		c.strides[k], c.at[k] = s, 0
		if l := len(of[k]); s.n > 0 && (l == 0 || of[k][l-1] != s) {
			of[k] = append(of[k], s)
		}
		if s.n > 0 {
			for _, before := range of[k][:len(of[k])-1] {
				c.at[k] += before.n
			}
		}
	}
	return true
}

// shrink shrinks the ranges by the samples of a round.
func (c *cutting[S]) shrink(less func(a, b S) bool) {
	lo, hi, samples := c.lo, c.hi, c.samples
	newLo, newHi := make([]int, len(lo)), make([]int, len(lo))
	for k := range lo {
		bounds := func(i int) (least, most int) { // how many elements come before sample i of part k
			x := samples[k][i]
			for l := range lo {
				step := c.strides[l].step
				if l == k {
					least, most = least+lo[k]+i*step, most+lo[k]+i*step
					continue
				}
				before := sort.Search(len(samples[l]), func(j int) bool {
					y := samples[l][j]
					return !(less(y, x) || l < k && !less(x, y))
				})
				if before > 0 {
					least += lo[l] + (before-1)*step + 1
				} else {
					least += lo[l]
				}
				if before < len(samples[l]) {
					most += lo[l] + before*step
				} else {
					most += hi[l]
				}
			}
			return least, most
		}
		step := c.strides[k].step
		inside := sort.Search(len(samples[k]), func(i int) bool { _, most := bounds(i); return most >= c.rank })
		outside := sort.Search(len(samples[k]), func(i int) bool { least, _ := bounds(i); return least >= c.rank })
		newLo[k], newHi[k] = lo[k], hi[k]
		if inside > 0 {
			newLo[k] = lo[k] + (inside-1)*step + 1
		}
		if outside < len(samples[k]) {
			newHi[k] = max(newLo[k], lo[k]+outside*step)
		}
	}
	copy(lo, newLo)
	copy(hi, newHi)
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

// sampled returns samples of the parts, one on each device of p. native computes one on the CPU. All devices with
// kernels begin before the host waits for the first one.
func sampled[T, S any](
	o *ordering[T], p *array.Place, parts []*vector.Vector[T], of [][]stride, defines string,
	native func(*ordering[T], T) S,
) ([][]S, error) {
	samples, out := make([][]S, len(parts)), make([]*vector.Vector[S], len(parts))
	defer func() {
		for _, v := range out {
			if v != nil {
				v.Free()
			}
		}
	}()
	for k, strides := range of {
		n := 0
		for _, s := range strides {
			n += s.n
		}
		if n == 0 {
			continue
		}
		x := openVector(parts[k])
		on := o.on(p, k)
		m := on.source(x)
		if m.err != nil {
			return nil, m.err
		}
		if d := m.device(); d.Native() {
			dst := make([]S, n)
			samples[k] = dst
			if err := d.Natively("sortsample", driver.Bytes(dst), func() error {
				at := 0
				for _, s := range strides {
					for i := range s.n {
						dst[at+i] = native(on, x.mem[s.lo+i*s.step])
					}
					at += s.n
				}
				return nil
			}); err != nil {
				return nil, err
			}
			continue
		}
		out[k] = uninitialized[S](n, m.where)
		if err := on.sample(x, &m, arrayOf(out[k]), strides, defines); err != nil {
			return nil, err
		}
	}
	for k, v := range out {
		if v != nil {
			var err error
			if samples[k], err = v.Host(); err != nil {
				return nil, err
			}
		}
	}
	return samples, nil
}

// sample launches the kernels that store samples of x.
func (o *ordering[T]) sample(x *expr[T], m *meta, out *array.Array, strides []stride, defines string) error {
	mem, err := out.Output()
	at, d := 0, m.device()
	for _, s := range strides {
		if err != nil {
			break
		}
		p := newProgram("sortsample", o.fun.label)
		p.accessors = append(p.accessors, accessor{name: "load", ctype: o.ctype(), node: x.node})
		o.device(p)
		p.defines += defines
		p.grid, _ = elementGrid(d, s.n)
		p.args = append(p.args, mem.Arg(), driver.Value(int64(at)), driver.Value(int64(s.lo)),
			driver.Value(int64(s.step)), driver.Value(int64(s.n)))
		err = p.launch(d, x, out, o.extra)
		p.release()
		at += s.n
	}
	return out.Fail(err)
}

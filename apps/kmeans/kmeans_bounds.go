package kmeans

import (
	"math"
	"math/bits"

	"github.com/skelgo/skelgo/math32"
	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// This file avoids distances that cannot change a label (Hamerly 2010; with several groups
// of centres, Ding et al. 2015, "Yinyang k-means"). For every point, bounds keeps an upper
// bound on the distance to its centre, and lower bounds on the distances to all other
// centres and to the other centres of each group. A centre that moves by s changes the
// bounds by at most s. A point keeps its label without a look at its coordinates if its
// upper bound is less than its lower bound. Labels are those of assign, bit for bit: the
// bounds include the rounding errors of assign's distances (see margins).

// bounds is the state of a start, on the devices.
type bounds[T number] struct {
	upper, lower *vector.Vector[T]       // of each point, shifted: see bounded
	near         *matrix.Matrix[T]       // for each group of centres, a lower bound for each point, shifted
	before       *matrix.Matrix[T]       // the centres of the last assignment, a row for each
	counted      *vector.Vector[int32]   // the labels of the sums of the clusters
	drift        *vector.Vector[float64] // of each centre, in the last step
	path         *vector.Vector[float64] // of each centre, the sum of its drifts
	others       *vector.Vector[float64] // of each centre, the sum of the largest drifts of other centres
	groups       *vector.Vector[float64] // of each group, the sum of its largest drifts
	size         int                     // centres in a group, a multiple of lanes
	margins      margins

	*boundSkeletons[T]
}

// margins are the errors that bounds allow for. Let d be the exact squared distance of a
// point from a centre, both as they are stored, and u half a unit in the last place of 1.
// assign rounds each difference once, each of width/2 fused sums once, and their final sum
// once. No term is negative, so the result is within d (1 ± (width/2 + 4) u), except that
// each fused sum may also lose half the least positive number. Relative is more than twice
// that relative error; the square root of a distance needs half of it, so that the rest
// covers the errors of the root and of the few operations on bounds in float64, of which
// each is at most 2^-53. Absolute covers what is lost to underflow.
type margins struct {
	Relative, Absolute float64
	Unit, Least        float64 // the rounding of a bound to T: relative and absolute
	Most               float64 // the greatest finite squared distance
}

func marginsOf[T number](width int) margins {
	unit, least, most := 0x1p-53, 0x1p-1074, math.MaxFloat64
	if _, ok := any(T(0)).(float32); ok {
		unit, least, most = 0x1p-24, 0x1p-149, math.MaxFloat32
	}
	return margins{
		Relative: (float64(width) + 16) * unit, Absolute: 2 * math.Sqrt(float64(width)*least),
		Unit: 2 * unit, Least: least, Most: most,
	}
}

// bounded has what a step of bounds reads and writes. An upper bound is stored minus the
// path of the point's centre so far, and lower bounds plus the paths of other centres: so
// they remain valid, without being written, while the centres move.
type bounded[T number] struct {
	Table, Centers, Rows matrix.View[T] // Rows has a row for each centre
	Path, Others, Groups vector.View[float64]
	Labels               vector.OutView[int32]
	Upper, Lower         vector.OutView[T]
	Near                 matrix.OutView[T]
	ByPoint              bool // Near has a row for each point, and not for each group
	Size                 int
	Margins              margins
}

func groupsOf[T number](b bounded[T]) int { return b.Groups.Len() }

// nearAt returns the lower bound of point i for group g.
func nearAt[T number](i, g int, b bounded[T]) T {
	if b.ByPoint {
		return b.Near.At(i, g)
	}
	return b.Near.At(g, i)
}

func setNear[T number](i, g int, b bounded[T], v T) {
	if b.ByPoint {
		b.Near.Set(i, g, v)
	} else {
		b.Near.Set(g, i, v)
	}
}

// above returns a T that is at least v, and below one that is at most v.
func above[T number](v float64, m margins) T { return T(v + (math.Abs(v)*m.Unit + m.Least)) }
func below[T number](v float64, m margins) T { return T(v - (math.Abs(v)*m.Unit + m.Least)) }

// farthestOf returns an upper bound on a distance whose computed square is d, and
// nearestOf a lower bound.
func farthestOf[T number](d T, m margins) float64 {
	return math.Sqrt(float64(d))*(1+m.Relative) + m.Absolute
}

func nearestOf[T number](d T, m margins) float64 {
	return math.Sqrt(min(float64(d), m.Most))*(1-m.Relative) - m.Absolute
}

// surely reports whether assign finds a centre at a distance of at most upper nearer than
// one at a distance of at least lower.
func surely(upper, lower float64, m margins) bool {
	return upper*(1+2*m.Relative)+2*m.Absolute < lower
}

// kept has what decides whether a point keeps its label.
type kept[T number] struct {
	Path, Others vector.View[float64]
	Labels       vector.View[int32]
	Upper, Lower vector.View[T]
	Margins      margins
}

// unsure reports whether the label of point i may change.
func unsure[T number](i int, k kept[T]) bool {
	label := int(k.Labels.At(i))
	if label < 0 {
		return true
	}
	upper := float64(k.Upper.At(i)) + k.Path.At(label)
	lower := float64(k.Lower.At(i)) - k.Others.At(label)
	return !surely(upper, lower, k.Margins)
}

// squared returns the squared distance of point i from centre c, computed like assign's.
func squared[T number](i, c int, b bounded[T]) T {
	var even, odd T
	j := 0
	for ; j+4 <= b.Centers.Rows(); j += 4 {
		x, y, z, w := b.Table.At(i, j), b.Table.At(i, j+1), b.Table.At(i, j+2), b.Table.At(i, j+3)
		p, q, r, s := b.Rows.At(c, j), b.Rows.At(c, j+1), b.Rows.At(c, j+2), b.Rows.At(c, j+3)
		even, odd = math32.FMA(x-p, x-p, even), math32.FMA(y-q, y-q, odd)
		even, odd = math32.FMA(z-r, z-r, even), math32.FMA(w-s, w-s, odd)
	}
	for ; j < b.Centers.Rows(); j += 2 {
		dx, dy := b.Table.At(i, j)-b.Rows.At(c, j), b.Table.At(i, j+1)-b.Rows.At(c, j+1)
		even, odd = math32.FMA(dx, dx, even), math32.FMA(dy, dy, odd)
	}
	return even + odd
}

// reassign finds the centre nearest to point i, which is unsure, and new bounds. It
// returns 1 if the label moves. It computes the distance from the point's centre, and then
// those from all centres of the groups whose lower bounds are not greater.
func reassign[T number](i int, b bounded[T]) int {
	m, old := b.Margins, int(b.Labels.At(i))
	own, upper, least := T(math.Inf(1)), math.Inf(1), math.Inf(-1)
	known := old >= 0 && b.Upper.At(i) < T(math.Inf(1)) // otherwise there are no bounds yet
	if known {
		own = squared(i, old, b)
		upper = farthestOf(own, m)
		least = float64(b.Lower.At(i)) - b.Others.At(old) // a bound for every group
	}
	// The two nearest centres in the group of label, the nearest of the others that were
	// computed, and a bound for those that were not.
	label, first, second := -1, T(math.Inf(1)), T(math.Inf(1))
	rest, skipped := T(math.Inf(1)), math.Inf(1)
	counted := !known // whether old is among those that were computed
	// Lanes of a GPU look for the groups that they need before they compute distances, so that
	// they compute them together, each for a group of its own.
	needed := uint64(0)
	for first := 0; first < groupsOf(b); first += lanes {
		var bound [lanes]float64 // loaded together
		for c := range lanes {
			bound[c] = math.Inf(-1)
			if g := first + c; known && g < groupsOf(b) {
				bound[c] = max(least, float64(nearAt(i, g, b))-b.Groups.At(g))
			}
		}
		for c := range lanes {
			if first+c >= groupsOf(b) {
				continue
			}
			if known && surely(upper, bound[c], m) {
				skipped = min(skipped, bound[c])
			} else {
				needed |= 1 << uint(first+c)
			}
		}
	}
	for needed != 0 {
		g := bits.TrailingZeros64(needed)
		needed &= needed - 1
		from, to := g*b.Size, min((g+1)*b.Size, b.Centers.Cols())
		counted = counted || old >= from && old < to
		nearest, one, two := from, T(math.Inf(1)), T(math.Inf(1))
		for c0 := from; c0 < to; c0 += lanes {
			var even, odd [lanes]T // as in assign
			j := 0
			for ; j+4 <= b.Centers.Rows(); j += 4 {
				x, y, z, w := b.Table.At(i, j), b.Table.At(i, j+1), b.Table.At(i, j+2), b.Table.At(i, j+3)
				for c := range lanes {
					dx, dy := x-b.Centers.At(j, c0+c), y-b.Centers.At(j+1, c0+c)
					even[c], odd[c] = math32.FMA(dx, dx, even[c]), math32.FMA(dy, dy, odd[c])
				}
				for c := range lanes {
					dx, dy := z-b.Centers.At(j+2, c0+c), w-b.Centers.At(j+3, c0+c)
					even[c], odd[c] = math32.FMA(dx, dx, even[c]), math32.FMA(dy, dy, odd[c])
				}
			}
			for ; j < b.Centers.Rows(); j += 2 {
				x, y := b.Table.At(i, j), b.Table.At(i, j+1)
				for c := range lanes {
					dx, dy := x-b.Centers.At(j, c0+c), y-b.Centers.At(j+1, c0+c)
					even[c], odd[c] = math32.FMA(dx, dx, even[c]), math32.FMA(dy, dy, odd[c])
				}
			}
			for c := range lanes {
				d := even[c] + odd[c]
				if d < one {
					nearest, one, two = c0+c, d, one
				} else if d < two {
					two = d
				}
			}
		}
		setNear(i, g, b, below[T](nearestOf(one, m)+b.Groups.At(g), m))
		if one < first {
			rest = min(rest, first)
			label, first, second = nearest, one, two
		} else {
			rest = min(rest, one)
		}
	}
	switch {
	case !counted && (own < first || own == first && (label < 0 || old < label)):
		rest = min(rest, first)
		label, first, second = old, own, T(math.Inf(1)) // the bound of its group leaves it out already
	case label < 0:
		label = 0 // no centre is nearer than infinity: assign's answer
	default:
		g := label / b.Size
		setNear(i, g, b, below[T](nearestOf(second, m)+b.Groups.At(g), m))
		if !counted { // its group did not count the old centre so far
			g = old / b.Size
			near := min(max(least, float64(nearAt(i, g, b))-b.Groups.At(g)), nearestOf(own, m))
			setNear(i, g, b, below[T](near+b.Groups.At(g), m))
			rest = min(rest, own)
		}
	}
	b.Upper.Set(i, above[T](farthestOf(first, m)-b.Path.At(label), m))
	b.Lower.Set(i, below[T](min(skipped, nearestOf(min(rest, second), m))+b.Others.At(label), m))
	b.Labels.Set(i, int32(label))
	if label != old {
		return 1
	}
	return 0
}

// reassignAny is reassign for any point: over several devices every device looks at all of
// its points, because the unsure ones are not rows that it can number.
func reassignAny[T number](i int, b bounded[T]) int {
	if label := int(b.Labels.At(i)); label >= 0 {
		upper := float64(b.Upper.At(i)) + b.Path.At(label)
		lower := float64(b.Lower.At(i)) - b.Others.At(label)
		if surely(upper, lower, b.Margins) {
			return 0
		}
	}
	return reassign(i, b)
}

// drifts has the centres before and after they moved.
type drifts[T number] struct {
	Now    matrix.View[T]
	Before matrix.OutView[T]
	Drift  vector.OutView[float64]
}

// measure finds out how far centre c moved, rounded up. A centre that is NaN is never the
// nearest, so that it does not matter where it is.
func measure[T number](c int, d drifts[T]) {
	sum := 0.0
	for first := 0; first < d.Now.Rows(); first += lanes {
		var now, before [lanes]float64 // loaded before any is stored, so that they do not wait for one another
		for j := range lanes {
			if first+j < d.Now.Rows() {
				now[j], before[j] = float64(d.Now.At(first+j, c)), float64(d.Before.At(c, first+j))
			}
		}
		for j := range lanes {
			diff := now[j] - before[j]
			sum = math.FMA(diff, diff, sum)
			if first+j < d.Now.Rows() {
				d.Before.Set(c, first+j, T(now[j]))
			}
		}
	}
	if sum != sum {
		sum = 0
	}
	d.Drift.Set(c, math.Sqrt(sum)*(1+1e-11)+0x1p-500)
}

// advances adds up drifts.
type advances struct {
	Drift                vector.View[float64]
	Path, Others, Groups vector.OutView[float64]
	Size                 int
}

// advance adds the last drifts to the sums of centre c and, if c is the first centre of a
// group, to that of the group.
func advance(c int, a advances) {
	a.Path.Set(c, (a.Path.At(c)+a.Drift.At(c))*(1+0x1p-50))
	first := c - c%a.Size // of the group of c
	others, group := 0.0, 0.0
	for o := range a.Drift.Len() {
		d := a.Drift.At(o)
		if o != c {
			others = max(others, d)
		}
		if o >= first && o < first+a.Size {
			group = max(group, d)
		}
	}
	a.Others.Set(c, (a.Others.At(c)+others)*(1+0x1p-50))
	if g := c / a.Size; first == c {
		a.Groups.Set(g, (a.Groups.At(g)+group)*(1+0x1p-50))
	}
}

// settles has the labels of points, and those of the sums.
type settles struct {
	Labels  vector.View[int32]
	Counted vector.OutView[int32]
}

func settle(i int, s settles) { s.Counted.Set(i, s.Labels.At(i)) }

// boundSkeletons are the skeletons of this file.
type boundSkeletons[T number] struct {
	measure  *skel.MapVoidWith[int, drifts[T]]
	unsure   *skel.FilterWith[int, kept[T]]
	reassign *skel.MapWith[int, bounded[T], int]
	either   *skel.MapWith[int, bounded[T], int]
	unknown  *skel.Map[int, T]
}

func makeBoundSkeletons[T number]() *boundSkeletons[T] {
	return &boundSkeletons[T]{
		measure:  skel.NewMapVoidWith(measure[T]),
		unsure:   skel.NewFilterWith(unsure[T]),
		reassign: skel.NewMapWith(reassign[T]),
		either:   skel.NewMapWith(reassignAny[T]),
		unknown:  skel.NewMap(unknown[T]),
	}
}

func unknown[T number](int) T { return T(math.Inf(1)) }

var (
	boundSkeletons32 = makeBoundSkeletons[float32]()
	boundSkeletons64 = makeBoundSkeletons[float64]()

	advanceAll = skel.NewMapVoidWith(advance)
	enterStep  = skel.NewMapVoidWith(enter)

	settleLabels = skel.NewMapVoidWith(settle)
)

func boundSkeletonsOf[T number]() *boundSkeletons[T] {
	if s, ok := any(boundSkeletons32).(*boundSkeletons[T]); ok {
		return s
	}
	return any(boundSkeletons64).(*boundSkeletons[T])
}

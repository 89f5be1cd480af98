package spikes

import (
	"gonum.org/v1/gonum/mathext"

	"github.com/skelgo/skelgo/skel"
	"github.com/skelgo/skelgo/vector"
)

// place is where a spike is in its unit: B is δ/(δ+ν), and C is ν/(δ+ν).
type place struct {
	Label int32
	B, C  float64
}

// distances has distances, and the degrees of freedom of units.
type distances struct {
	Delta  vector.View[float64]
	Labels vector.View[int32]
	DF     vector.View[float64]
}

func placeOf(i int, d distances) place {
	label := d.Labels.At(i)
	delta, nu := d.Delta.At(i), d.DF.At(int(label))
	return place{label, delta / (delta + nu), nu / (delta + nu)}
}

func before(a, b place) bool { return a.Label < b.Label || a.Label == b.Label && a.B < b.B }

// ranked has the places of spikes in the order of units and distances, and the first
// spike and the size of each unit.
type ranked struct {
	Places       vector.View[place]
	Betas        vector.View[beta]
	First, Sizes vector.View[int]
}

// show gap

// gap returns the distance of the empirical distribution at spike i from the expected one.
func gap(i int, r ranked) float64 {
	p := r.Places.At(i)
	j := int(p.Label)
	f, n := r.Betas.At(j).cdf(p.B, p.C), float64(r.Sizes.At(j))
	rank := float64(i - r.First.At(j))
	return max(f-rank/n, (rank+1)/n-f)
}

// end

func larger(a, b float64) float64 { return max(a, b) }
func labelOf(p place) int32       { return p.Label }

// limited has the distances beyond which spikes are outliers.
type limited struct {
	Delta  vector.View[float64]
	Labels vector.View[int32]
	Limits vector.View[float64]
}

func outlying(i int, l limited) int {
	if l.Delta.At(i) > l.Limits.At(int(l.Labels.At(i))) {
		return 1
	}
	return 0
}

func sumInts(a, b int) int { return a + b }

var (
	places  = skel.NewMapWith(placeOf)
	ranks   = skel.NewSort(before)
	gaps    = skel.NewMapWith(gap)
	labels  = skel.NewMap(labelOf)
	largest = skel.NewReduce(larger, 0)
	outside = skel.NewMapWith(outlying)
	count   = skel.NewReduce(sumInts, 0)
)

// testedDF is the largest number of degrees of freedom for which δ/(δ+ν) is tested. The
// distribution hardly depends on them there.
const testedDF = 1e5

// maxQuantiles is the number of quantiles of a unit in the Q-Q plot.
const maxQuantiles = 200

// fit sets the units' measures of how well the model fits: KS, Outliers and the quantiles.
func (r *Result) fit(level float64) error {
	n, g, p := r.Scores.Rows(), len(r.Units), r.Scores.Cols()
	where, home := r.Scores.Vector().Distribution(), vector.Single(r.Scores.Device())
	all := vector.Indices(n, where)
	df, first, sizes := make([]float64, g), make([]int, g), make([]int, g)
	betas, limits := make([]beta, g), make([]float64, g)
	for j := range r.Units {
		u := &r.Units[j]
		df[j], sizes[j] = min(u.DF, testedDF), u.Size
		betas[j] = newBeta(p, df[j])
		if j > 0 {
			first[j] = first[j-1] + sizes[j-1]
		}
		b := mathext.InvRegIncBeta(betas[j].A, betas[j].B, 1-level)
		u.limit = df[j] * b / (1 - b)
		limits[j] = u.limit
	}
	dfs := vector.From(df, home)
	defer dfs.Free()
	unsorted := places.With(distances{r.Distances.View(), r.Labels.View(), dfs.View()}).Apply(all)
	defer unsorted.Free()
	sorted := ranks.Apply(unsorted)
	defer sorted.Free()
	bs, fs, ss := vector.From(betas, home), vector.From(first, home), vector.From(sizes, home)
	defer bs.Free()
	defer fs.Free()
	defer ss.Free()
	each := gaps.With(ranked{sorted.View(), bs.View(), fs.View(), ss.View()}).Apply(all)
	defer each.Free()
	keys := labels.Apply(sorted)
	defer keys.Free()
	most := largest.ByKey(each, keys, g)
	defer most.Free()
	ks, err := most.Host()
	if err != nil {
		return err
	}
	limit := vector.From(limits, home)
	defer limit.Free()
	far := outside.With(limited{r.Distances.View(), r.Labels.View(), limit.View()}).Apply(all)
	defer far.Free()
	outliers := count.ByKey(far, r.Labels, g)
	defer outliers.Free()
	o, err := outliers.Host()
	if err != nil {
		return err
	}
	for j := range r.Units {
		u := &r.Units[j]
		u.KS, u.Outliers = measure(ks[j]), o[j]
		if u.Size == 0 {
			u.KS = unknown
		}
	}
	return r.quantiles(sorted, betas, first)
}

// quantiles sets the quantiles of units for the Q-Q plot.
func (r *Result) quantiles(sorted *vector.Vector[place], betas []beta, first []int) error {
	var at []int
	var expected []float64
	for j, u := range r.Units {
		m := min(u.Size, maxQuantiles)
		for k := range m {
			q := (float64(k) + 0.5) / float64(m)
			at = append(at, first[j]+int(q*float64(u.Size)))
			expected = append(expected, mathext.InvRegIncBeta(betas[j].A, betas[j].B, q))
		}
	}
	indices := vector.From(at, vector.Single(sorted.Device()))
	defer indices.Free()
	chosen := skel.Gather(sorted, indices)
	defer chosen.Free()
	found, err := chosen.Host()
	if err != nil {
		return err
	}
	for i, p := range found {
		u := &r.Units[p.Label]
		u.quantiles = append(u.quantiles, [2]float64{expected[i], p.B})
	}
	return nil
}

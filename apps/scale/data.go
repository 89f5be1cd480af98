package scale

import (
	"fmt"
	"math"
	"slices"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Data holds objects whose groups are known.
type Data struct {
	Features []string  // their names
	Groups   []string  // their names, in ascending order
	X        []float64 // the features of the first object, then those of the second, and so on
	Group    []int     // of each object, an index of Groups
	Weights  []float64 // of the objects; nil means that all are 1
	// Missing says which elements of X are unknown. X has values in their place, such as the medians of the
	// features. CrossValidate and Bootstrap put the medians of each training set there. Nil means none.
	Missing []bool
}

// N returns the number of objects.
func (d *Data) N() int { return len(d.Group) }

// row returns the features of object i.
func (d *Data) row(i int) []float64 { p := len(d.Features); return d.X[i*p : (i+1)*p] }

// weight returns the weight of object i.
func (d *Data) weight(i int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

func inputErrorf(format string, args ...any) error { return app.InputErrorf("scale: "+format, args...) }

// The limits of this implementation.
const (
	maxGroups      = 8
	maxOrderGroups = 6 // of unordered groups, all orders of which are tried
)

// check reports data that no scale can be found for.
func (d *Data) check() error {
	n, p, k := d.N(), len(d.Features), len(d.Groups)
	switch {
	case n == 0 || p == 0:
		return inputErrorf("there are no data: %s of %s", app.Count(n, "object"), app.Count(p, "feature"))
	case len(d.X) != n*p:
		return inputErrorf("%s for %s of %s", app.Count(len(d.X), "number"), app.Count(n, "object"),
			app.Count(p, "feature"))
	case d.Missing != nil && len(d.Missing) != n*p:
		return inputErrorf("it is known of %s whether they are missing, and there are %s",
			app.Count(len(d.Missing), "number"), app.Count(n*p, "number"))
	case d.Weights != nil && len(d.Weights) != n:
		return inputErrorf("%s for %s", app.Count(len(d.Weights), "weight"), app.Count(n, "object"))
	case k < 2:
		return inputErrorf("there is %s; a scale needs at least 2", app.Count(k, "group"))
	case k > maxGroups:
		return inputErrorf("there are %d groups; at most %d are possible", k, maxGroups)
	}
	for i, w := range d.Weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return inputErrorf("the weight of object %d is %v; it must be finite and not negative", i+1, w)
		}
	}
	if d.Weights != nil && slices.Max(d.Weights) == 0 {
		return inputErrorf("the weights of all objects are 0; at least one must be positive")
	}
	counts := make([]int, k)
	for i, g := range d.Group {
		if g < 0 || g >= k {
			return inputErrorf("the group of object %d is %d; there are %d", i+1, g, k)
		}
		counts[g]++
	}
	for g, c := range counts {
		if c == 0 {
			return inputErrorf("group %s has no object", d.Groups[g])
		}
	}
	return d.checkFeatures()
}

// checkFeatures reports features that are constant or not finite.
func (d *Data) checkFeatures() error {
	for j, name := range d.Features {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range d.N() {
			x := d.row(i)[j]
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return inputErrorf("feature %s of object %d is %v", name, i+1, x)
			}
			least, most = min(least, x), max(most, x)
		}
		if least == most {
			return inputErrorf("feature %s is constant, %v, and separates nothing; leave it out with --ignore",
				name, least)
		}
	}
	return nil
}

// Costs says what mistakes cost.
type Costs struct {
	// Matrix[t][a] is the cost of assigning an object of group t to group a. Nil means 0 for the
	// right group and 1 for any other, so that the cost is the number of errors.
	Matrix [][]float64
	// Zones adds an uncertain zone between each two groups, in which an object costs Uncertain.
	Zones     bool
	Uncertain float64
}

// of returns the cost of assigning an object of group t to group a.
func (c *Costs) of(t, a int) float64 {
	switch {
	case c.Matrix != nil:
		return c.Matrix[t][a]
	case t == a:
		return 0
	}
	return 1
}

// most returns the largest difference between two costs of an object of weight 1.
func (c *Costs) most(groups int) float64 {
	least, most := math.Inf(1), 0.0
	for t := range groups {
		for a := range groups {
			least, most = min(least, c.of(t, a)), max(most, c.of(t, a))
		}
	}
	if c.Zones {
		least, most = min(least, c.Uncertain), max(most, c.Uncertain)
	}
	return most - least
}

// check reports costs that do not fit the groups.
func (c *Costs) check(groups []string) error {
	if c.Matrix != nil && len(c.Matrix) != len(groups) {
		return inputErrorf("the costs have %s for %s", app.Count(len(c.Matrix), "row"), app.Count(len(groups), "group"))
	}
	for t, row := range c.Matrix {
		if len(row) != len(groups) {
			return inputErrorf("row %d of the costs has %s for %s", t+1, app.Count(len(row), "number"),
				app.Count(len(groups), "group"))
		}
		for a, v := range row {
			if !(v >= 0) || math.IsInf(v, 1) {
				return inputErrorf("%s costs %v; costs must be finite and not negative",
					fmt.Sprintf("assigning %s to %s", groups[t], groups[a]), v)
			}
		}
	}
	if c.Zones && (!(c.Uncertain >= 0) || math.IsInf(c.Uncertain, 1)) {
		return inputErrorf("an uncertain object costs %v; costs must be finite and not negative", c.Uncertain)
	}
	return nil
}

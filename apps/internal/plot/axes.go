package plot

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Axes projects points onto the plane of a picture.
type Axes struct {
	Origin []float64    // subtracted first, unless nil
	Rows   [2][]float64 // the directions
	Names  [2]string
	Strips bool // the second coordinate is the number of a point's group
}

// Project returns a point's position in the plane.
func (a *Axes) Project(x []float64) (place [2]float64) {
	for d, row := range a.Rows {
		for j, v := range x {
			if a.Origin != nil {
				v -= a.Origin[j]
			}
			place[d] += row[j] * v
		}
	}
	return place
}

// ChooseAxes returns the axes for tables with the given column names, which may be nil: the
// columns that --plot-columns lists, or if it is nil, the two principal axes of the points. For
// tables of one column, the second axis is the number of the group, which has a name.
func ChooseAxes(list []string, points [][]float64, names []string, cols int, group string) (*Axes, error) {
	name := func(c int) string {
		if names != nil && names[c] != "" {
			return names[c]
		}
		return fmt.Sprintf("column %d", c+1)
	}
	switch {
	case list != nil:
		at, err := FindColumns(list, names, cols)
		return columnAxes(cols, at, [2]string{name(at[0]), name(at[1])}), err
	case cols == 1:
		return &Axes{Rows: [2][]float64{{1}, {0}}, Names: [2]string{name(0), group}, Strips: true}, nil
	}
	return PrincipalAxes(points)
}

// FindColumns finds the two columns that --plot-columns lists, by name or number, among those that
// are used.
func FindColumns(list, names []string, cols int) (at [2]int, err error) {
	for i, s := range list {
		if at[i] = slices.Index(names, s); at[i] >= 0 {
			continue
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > cols {
			return at, fmt.Errorf("--plot-columns: no column %q; the number of columns that are used is %d", s, cols)
		}
		at[i] = n - 1
	}
	return at, nil
}

// CheckColumns returns an error if --plot-columns is set without --plot or does not list two
// columns.
func CheckColumns(list []string, file string) error {
	switch {
	case list != nil && file == "":
		return errors.New("--plot-columns needs --plot")
	case len(list) != 0 && len(list) != 2:
		return fmt.Errorf("--plot-columns %s: it must name two columns", strings.Join(list, ","))
	}
	return nil
}

// columnAxes returns two of the columns as axes.
func columnAxes(dim int, columns [2]int, names [2]string) *Axes {
	a := &Axes{Names: names}
	for d, c := range columns {
		a.Rows[d] = make([]float64, dim)
		a.Rows[d][c] = 1
	}
	return a
}

// PrincipalAxes returns the two directions along which the points vary most: the
// leading eigenvectors of their covariance. The sign of each makes its largest
// coefficient positive.
func PrincipalAxes(points [][]float64) (*Axes, error) {
	dim := len(points[0])
	a := &Axes{Origin: make([]float64, dim)}
	for _, x := range points {
		for j, v := range x {
			a.Origin[j] += v / float64(len(points))
		}
	}
	centered := mat.NewDense(len(points), dim, nil)
	for i, x := range points {
		for j, v := range x {
			centered.Set(i, j, v-a.Origin[j])
		}
	}
	var covariance mat.SymDense
	covariance.SymOuterK(1, centered.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, fmt.Errorf("--plot: the principal axes do not converge; choose two columns with --plot-columns")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil) // ascending
	var total float64
	for _, v := range values {
		total += max(v, 0)
	}
	for d, which := range [2]string{"First", "Second"} {
		row := mat.Col(nil, dim-1-d, &vectors)
		if slices.Max(row) < -slices.Min(row) {
			for j := range row {
				row[j] = -row[j]
			}
		}
		a.Rows[d] = row
		share := 0.0
		if total > 0 {
			share = 100 * max(values[dim-1-d], 0) / total
		}
		a.Names[d] = fmt.Sprintf("%s principal axis (%.3g%% of the variance)", which, share)
	}
	return a, nil
}

// Sample returns at most limit of n indices, in order. It always returns the same ones.
func Sample(n, limit int) []int {
	picked := make([]int, 0, min(n, limit))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n { // Knuth's algorithm S: every subset is equally likely
		if need := min(n, limit) - len(picked); r.Float64()*float64(n-i) < float64(need) {
			picked = append(picked, i)
		}
	}
	return picked
}

// drawable reports whether a position is finite.
func drawable(p [2]float64) bool {
	return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1])
}

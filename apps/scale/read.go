package scale

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/apps/internal/app"
)

// Missing says what to do with missing values of features.
type Missing string

// What to do with them.
const (
	Refuse   Missing = "error"
	Median   Missing = "median" // put the median of the feature in their place
	Indicate Missing = "group"  // the same, and add a feature that is 1 there and otherwise 0
	Drop     Missing = "drop"   // leave out the object
)

// choice says what is what in a table.
type choice struct {
	Group    string // the column of the groups; "" means to find it
	Order    []string
	Features []string
	Ignore   []string
	Weights  string // the column of the weights of objects, or ""
	Missing  Missing
}

// chosen is the data of a table, and what was done to its missing values.
type chosen struct {
	*Data
	column     string // of the groups
	guessed    bool   // the column was not named
	assumed    bool   // the order of the groups, which are words, is that of their first objects
	fills      []float64
	indicators []Indicator
	dropped    int
}

// choose makes data of a table.
func (t *textTable) choose(c choice) (*chosen, error) {
	group, guessed, err := t.groupColumn(c)
	if err != nil {
		return nil, err
	}
	d := &chosen{Data: new(Data), column: t.names[group], guessed: guessed}
	except := []int{group}
	weights := -1
	if c.Weights != "" {
		if weights, err = t.column(c.Weights); err != nil {
			return nil, err
		}
		except = append(except, weights)
	}
	features, err := t.columns(c.Features, c.Ignore, except...)
	if err != nil {
		return nil, err
	}
	for _, f := range features {
		d.Features = append(d.Features, t.names[f])
	}
	if d.Groups, d.assumed, err = t.groups(group, c.Order); err != nil {
		return nil, err
	}
	for i := range t.rows {
		if err := t.addRow(d, i, group, weights, features, c.Missing); err != nil {
			return nil, err
		}
	}
	if len(d.Group) == 0 {
		return nil, fmt.Errorf("%s: all objects have missing values; use --missing median", t.label)
	}
	d.complete(c.Missing)
	return d, nil
}

// addRow adds row i to the data.
func (t *textTable) addRow(d *chosen, i, group, weights int, features []int, missing Missing) error {
	g := slices.Index(d.Groups, t.rows[i][group])
	if g < 0 {
		return fmt.Errorf("%s:%d: the group is %q; --order names %s", t.label, t.lines[i], t.rows[i][group],
			strings.Join(d.Groups, ", "))
	}
	from := len(d.X)
	for _, f := range features {
		v, err := t.number(i, f)
		if err != nil {
			return err
		}
		if math.IsNaN(v) && missing == Refuse {
			return fmt.Errorf("%s:%d: column %s has a missing value; use --missing median, group or drop", t.label,
				t.lines[i], t.names[f])
		}
		if math.IsNaN(v) && missing == Drop {
			d.X = d.X[:from]
			d.dropped++
			return nil
		}
		d.X = append(d.X, v)
	}
	if weights >= 0 {
		w, err := t.number(i, weights)
		if err != nil {
			return err
		}
		d.Weights = append(d.Weights, w)
	}
	d.Group = append(d.Group, g)
	return nil
}

// groupColumn returns the column of the groups: the named one, or the only one of words, or else the
// one with the fewest different values.
func (t *textTable) groupColumn(c choice) (column int, guessed bool, err error) {
	if c.Group != "" {
		column, err = t.column(c.Group)
		return column, false, err
	}
	fewest, count, words := -1, maxGroups+1, []int(nil)
	for i := range t.names {
		n := len(t.values(i))
		switch {
		case t.names[i] == c.Weights && c.Weights != "":
		case !t.numeric(i):
			words = append(words, i)
		case n >= 2 && n < count:
			fewest, count = i, n
		}
	}
	if len(words) == 1 && len(t.values(words[0])) <= maxGroups {
		return words[0], true, nil
	}
	if fewest < 0 || len(words) > 1 {
		return 0, false, fmt.Errorf("%s: --group COLUMN is required; available: %s",
			t.label, strings.Join(t.names, ", "))
	}
	return fewest, true, nil
}

// groups returns the groups in ascending order: that of --order, that of their numbers, or that in
// which words first occur.
func (t *textTable) groups(column int, order []string) (names []string, words bool, err error) {
	names = t.values(column)
	if i := slices.IndexFunc(names, absent); i >= 0 {
		at := slices.IndexFunc(t.rows, func(row []string) bool { return absent(row[column]) })
		return nil, false, fmt.Errorf("%s:%d: the group, column %s, is missing", t.label, t.lines[at], t.names[column])
	}
	if len(names) > maxGroups {
		return nil, false, fmt.Errorf("%s: column %s has %d different values; at most %d groups are possible", t.label,
			t.names[column], len(names), maxGroups)
	}
	if len(names) == 1 {
		return nil, false, fmt.Errorf("%s: all objects are of group %s; a scale needs at least 2", t.label, names[0])
	}
	if order != nil {
		for i, o := range order {
			if !slices.Contains(names, o) {
				return nil, false, fmt.Errorf("--order: no object is of group %q; available: %s",
					o, strings.Join(names, ", "))
			}
			if slices.Contains(order[:i], o) {
				return nil, false, fmt.Errorf("--order names group %q twice", o)
			}
		}
		return order, false, nil
	}
	if !t.numeric(column) {
		return names, len(names) > 2, nil
	}
	slices.SortFunc(names, func(a, b string) int {
		x, _ := t.parse(a)
		y, _ := t.parse(b)
		return cmp.Compare(x, y)
	})
	return names, false, nil
}

// complete replaces missing values.
func (d *chosen) complete(missing Missing) {
	switch missing {
	case Median:
		d.completeMedians()
	case Indicate:
		d.indicate()
	case Refuse, Drop: // none are left
	}
}

// completeMedians puts the medians of the features in the place of missing values.
func (d *chosen) completeMedians() {
	d.fills, d.Missing = make([]float64, len(d.Features)), make([]bool, len(d.X))
	for at, v := range d.X {
		if math.IsNaN(v) {
			d.Missing[at], d.X[at] = true, 0
		}
	}
	for j := range d.fills { // also of complete features: other objects may have missing values there
		if m := d.median(j, nil); defined(m) {
			d.fills[j] = m
		}
	}
	d.X = d.fill(d.fills).X
}

// indicate adds features that tell where others are missing, and puts medians in the place of missing
// values. So the weight of such a feature is the difference between the points of an unknown value and those of
// the median, which is small enough for the bounds of weights.
func (d *chosen) indicate() {
	p, n := len(d.Features), len(d.Group)
	for j := range p {
		for i := range n {
			if math.IsNaN(d.X[i*p+j]) {
				d.indicators = append(d.indicators, Indicator{p + len(d.indicators), j})
				break
			}
		}
	}
	for _, i := range d.indicators {
		d.Features = append(d.Features, d.Features[i.Of]+" missing")
	}
	var x []float64
	for i := range n {
		row := d.X[i*p : (i+1)*p]
		x = append(x, row...)
		for _, k := range d.indicators {
			is := 0.0
			if math.IsNaN(row[k.Of]) {
				is = 1
			}
			x = append(x, is)
		}
	}
	d.X = x
	d.completeMedians()
}

// filled returns the features of an object without missing values and with indicators.
func filled(x, fills []float64, indicators []Indicator) []float64 {
	row := make([]float64, len(fills))
	for j, v := range x {
		if row[j] = v; math.IsNaN(v) {
			row[j] = fills[j]
		}
	}
	for _, i := range indicators {
		if math.IsNaN(x[i.Of]) {
			row[i.Feature] = 1
		}
	}
	return row
}

// notes tells the user what was done.
func (d *chosen) notes(env *app.Env, file string) {
	if d.guessed {
		env.Notef("%s: the groups are those of column %s; --group names another one", file, d.column)
	}
	if d.assumed {
		env.Notef("%s: the groups ascend in the order in which they occur, %s; --order names another one, and "+
			"--unordered tries all", file, strings.Join(d.Groups, ", "))
	}
	if d.dropped > 0 {
		env.Notef("%s: --missing drop left out %s", file, app.Count(d.dropped, "object"))
	}
}

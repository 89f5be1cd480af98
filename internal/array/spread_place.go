package array

import (
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices"
)

// Place says which rows of one container each device holds. It is a distribution
// with the bounds of the parts. A row of a vector is an element. A nil Place stands
// for one device.
type Place struct {
	Dist Distribution
	Devs []*devices.Device
	Rows []int // part k begins with row Rows[k] and ends before Rows[k+1]; nil if every device holds all rows
	Unit int   // elements of a row
	N    int   // elements
}

// Parts end at a multiple of a number of rows, the grain. It is the largest power of
// two, up to grainMost, with which each device has at least grains multiples. So in
// large containers, parts end where the tiles of the order contract end, and at
// complete runs of tiles. The grain depends only on the number of rows, so that the
// elements of a vector are on the same devices as the rows of a matrix with as many
// rows.
const (
	grainMost = 1 << 17
	grains    = 128 // least number for each device
	grainsIn  = 2   // least number for each page, all of which one device computes
)

// grain returns the number of rows at whose multiples parts end.
func grain(rows int, devs []*devices.Device) int {
	g, least := 1, grains*len(devs)
	if devs[0].Base() != devs[0] {
		least = grainsIn * len(devs)
	}
	for g < grainMost && 2*g*least <= rows {
		g *= 2
	}
	return g
}

// Place returns the place of rows of unit elements. It returns nil if the
// distribution is on one device.
func (d Distribution) Place(rows, unit int) *Place {
	if d.over == nil {
		return nil
	}
	p := &Place{Dist: d, Devs: d.over.devs, Unit: unit, N: rows * unit}
	if d.over.kind == Copies {
		return p
	}
	sum, g := 0.0, grain(rows, p.Devs)
	weight := func(k int) float64 {
		if d.over.weights == nil {
			return 1
		}
		return d.over.weights[k]
	}
	for k := range p.Devs {
		sum += weight(k)
	}
	p.Rows = make([]int, len(p.Devs)+1)
	before := 0.0
	for k := range p.Devs {
		before += weight(k)
		end := int(float64(rows)*(before/sum) + 0.5)
		p.Rows[k+1] = max(p.Rows[k], min(rows, (end+g/2)/g*g))
	}
	p.Rows[len(p.Devs)] = rows
	return p
}

// Part returns which of n rows device k holds.
func (d Distribution) Part(n, k int) (lo, hi int) {
	if k < 0 || k >= len(d.Devices()) {
		panic(fmt.Sprintf("vector: Part: device %d of %v is out of range", k, d))
	}
	if p := d.Place(n, 1); p != nil {
		return p.Bounds(k)
	}
	return 0, n
}

// PlaceOn returns the place of n elements on one device, as a Place of one part.
func PlaceOn(d *devices.Device, n int) *Place {
	return &Place{Dist: Single(d), Devs: []*devices.Device{d}, Unit: 1, N: n}
}

// Copies reports whether every device holds all elements.
func (p *Place) Copies() bool { return p.Rows == nil }

// Bounds returns which elements part k holds: lo to hi-1.
func (p *Place) Bounds(k int) (lo, hi int) {
	if p.Copies() {
		return 0, p.N
	}
	return p.Rows[k] * p.Unit, p.Rows[k+1] * p.Unit
}

// Same reports whether two containers have their elements on the same devices.
func (p *Place) Same(q *Place) bool {
	if p == q {
		return true
	}
	if p == nil || q == nil || p.N != q.N || p.Copies() != q.Copies() || !slices.Equal(p.Devs, q.Devs) {
		return false
	}
	for k := range p.Rows {
		if p.Rows[k]*p.Unit != q.Rows[k]*q.Unit {
			return false
		}
	}
	return true
}

// Of returns the place of the same number of rows of unit elements each.
func (p *Place) Of(unit int) *Place {
	if p == nil || p.Unit == unit {
		return p
	}
	q := *p
	q.Unit = unit
	switch {
	case !p.Copies():
		q.N = p.Rows[len(p.Devs)] * unit
	case p.Unit > 0:
		q.N = p.N / p.Unit * unit
	}
	return &q
}

// Cut returns a place over the same devices whose parts end at the given rows.
func (p *Place) Cut(rows []int, unit int) *Place {
	q := *p
	q.Rows, q.Unit, q.N = rows, unit, rows[len(rows)-1]*unit
	return &q
}

// RowsIn returns the number of rows.
func (p *Place) RowsIn() int {
	if p.Unit == 0 {
		return 0
	}
	return p.N / p.Unit
}

package scale

import (
	"cmp"
	"context"
	"slices"

	"github.com/skelgo/skelgo/devices"
)

// FindOrder finds the best scale over all orders of the groups. An order and its reverse have the same
// scales if weights of both signs are allowed, and all are tried.
func FindOrder(ctx context.Context, d *Data, o Options, devs ...*devices.Device) (*Result, []int, error) {
	if err := checkOrders(d); err != nil {
		return nil, nil, err
	}
	var problems []problem
	for n, order := range orders(len(d.Groups)) {
		problems = append(problems, problem{Order: order, Number: n})
	}
	results, err := findAll(ctx, d, &o, problems, devs)
	if err != nil {
		return nil, nil, err
	}
	best := 0
	for i, r := range results {
		if cmp.Compare(r.Cost, results[best].Cost) < 0 {
			best = i
		}
	}
	return results[best], problems[best].Order, nil
}

// checkOrders reports groups that have too many orders.
func checkOrders(d *Data) error {
	if len(d.Groups) > maxOrderGroups {
		return inputErrorf("all orders of %d groups are too many; at most %d groups are possible", len(d.Groups),
			maxOrderGroups)
	}
	return nil
}

// orders returns all orders of k groups, in lexicographic order.
func orders(k int) (list [][]int) {
	var extend func(head []int)
	extend = func(head []int) {
		if len(head) == k {
			list = append(list, slices.Clone(head))
			return
		}
		for g := range k {
			if !slices.Contains(head, g) {
				extend(append(slices.Clone(head), g))
			}
		}
	}
	extend(nil)
	return list
}

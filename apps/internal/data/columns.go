package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// choose applies Columns and Ignore to a file with n columns and returns the positions
// of the columns to keep, in order. The names may be nil; drop are the columns that the
// format leaves out.
func choose(o Options, names []string, n int, drop []int) ([]int, error) {
	var keep []int
	for _, s := range o.Columns {
		cols, err := resolve(s, names, n)
		if err != nil {
			return nil, err
		}
		for _, c := range cols {
			if slices.Contains(keep, c) {
				return nil, fmt.Errorf("column %q is chosen twice", s)
			}
		}
		keep = append(keep, cols...)
	}
	if len(o.Columns) == 0 {
		for c := range n {
			if !slices.Contains(drop, c) {
				keep = append(keep, c)
			}
		}
	}
	for _, s := range o.Ignore {
		cols, err := resolve(s, names, n)
		if err != nil {
			return nil, err
		}
		keep = slices.DeleteFunc(keep, func(c int) bool { return slices.Contains(cols, c) })
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("no column is left of %d", n)
	}
	return keep, nil
}

// kept returns the positions of the columns that choose kept of n, or nil if they are all.
func kept(keep []int, n int) []int {
	for i, c := range keep {
		if i != c || len(keep) < n {
			return keep
		}
	}
	return nil
}

// resolve returns the positions of the columns that s names, such as "width", "3" or
// "2-5". A name takes precedence over a number.
func resolve(s string, names []string, n int) ([]int, error) {
	if i := slices.Index(names, s); i >= 0 {
		if j := slices.Index(names[i+1:], s); j >= 0 {
			return nil, fmt.Errorf("columns %d and %d both have the name %q; use their numbers", i+1, i+1+j+1, s)
		}
		return []int{i}, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	lo, err := strconv.Atoi(from)
	hi := lo
	if err == nil && isRange {
		hi, err = strconv.Atoi(to)
	}
	switch {
	case err != nil && names == nil:
		return nil, fmt.Errorf("no column %q; this file has no header, so use numbers from 1 to %d", s, n)
	case err != nil:
		return nil, fmt.Errorf("no column %q; available: %s", s, strings.Join(nonEmpty(names), ", "))
	case lo < 1 || hi > n || lo > hi:
		return nil, fmt.Errorf("no column %q; available: 1 to %d", s, n)
	}
	var cols []int
	for c := lo - 1; c < hi; c++ {
		cols = append(cols, c)
	}
	return cols, nil
}

func nonEmpty(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "" })
}

// pick returns the names of the kept columns.
func pick(names []string, keep []int) []string {
	if names == nil {
		return nil
	}
	var picked []string
	for _, c := range keep {
		picked = append(picked, names[c])
	}
	return picked
}

package registry

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// choose returns the form to use of a function of type t: one that is up to date. Two such
// forms have the same meaning, even if different versions of skelgen wrote them.
//
// A form can be out of date although the program contains a right one, for instance in a
// program that was generated before the library, whose function it uses, was changed and
// generated. It can also be that nobody knows: a form for a function of another module,
// whose text is not embedded. Then one that is known to be up to date is better; among
// others, those of the function's own package come first.
func (k *known) choose(t reflect.Type) (*Func, error) {
	table.RLock()
	forms := slices.Clone(k.forms)
	table.RUnlock()
	var fresh []*form
	var stale error
	rank := map[*form]int{}
	for _, f := range forms {
		sure, err := false, f.fits(t)
		if err == nil && f.source != nil {
			sure, err = f.changed()
		}
		if err != nil {
			stale = cmp.Or(stale, err)
			continue
		}
		fresh = append(fresh, f)
		switch {
		case sure:
			rank[f] = 2
		case f.own():
			rank[f] = 1
		}
	}
	if len(fresh) == 0 {
		return nil, stale
	}
	slices.SortStableFunc(fresh, func(a, b *form) int { return rank[b] - rank[a] })
	best := fresh[0]
	for _, f := range fresh[1:] {
		if f.Hash == best.Hash {
			if best.Extra == nil { // the other package passes an extra argument
				best.Extra = f.Extra
			}
		} else if rank[best] == 0 {
			return nil, twoForms{best, f}
		}
		best.Loops.complete(f.Loops)
	}
	return best.Func, nil
}

// own reports whether the form is in the generated file of the function's own package.
func (f *form) own() bool {
	return f.source != nil && strings.HasPrefix(strings.TrimLeft(f.Name, "(*"), f.source.path+".")
}

// twoForms is the error for a function with different forms, none of which is known to be
// up to date.
type twoForms [2]*form

func (e twoForms) Error() string {
	return fmt.Sprintf("has two different device forms: of %s in %s, and of %s in %s",
		e[0].Pos, e[0].file, e[1].Pos, e[1].file)
}

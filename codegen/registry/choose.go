package registry

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/ir"
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
	programs := map[*form]*ir.Program{}
	for _, f := range forms {
		p, err := f.Decode()
		if err != nil && f.source != nil && !inMain(f.source) {
			err = elsewhere{err, f.source.path}
		}
		if err == nil && p != nil {
			err = fits(t, p.Root)
		}
		sure := false
		if err == nil && f.source != nil {
			sure, err = f.changed()
		}
		if err != nil {
			stale = cmp.Or(stale, err)
			continue
		}
		fresh, programs[f] = append(fresh, f), p
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
		if f.Hash != best.Hash && rank[best] == 0 {
			return nil, twoForms{best, f}
		}
		best.Loops.complete(f.Loops)
	}
	switch p := programs[best]; {
	case p != nil:
		best.Program, best.Form = p, emit.C(p)
	case best.Form == nil:
		best.Form = &emit.Form{}
	}
	return best.Func, nil
}

// elsewhere is the error for IR that another version of skelgen wrote in a module that the
// user cannot generate.
type elsewhere struct {
	error
	path string
}

func (e elsewhere) Error() string {
	return fmt.Sprintf("%v: package %s must be generated with the skelgo of this program", e.error, e.path)
}

// Code returns a program as the IR of a Func.
func Code(p *ir.Program) string { return base64.RawStdEncoding.EncodeToString([]byte(ir.Encode(p))) }

// Decode returns what the function means, as a new program, or nil if it has no IR.
func (f *Func) Decode() (*ir.Program, error) {
	if f.IR == "" {
		return nil, nil
	}
	code, err := base64.RawStdEncoding.DecodeString(f.IR)
	if err != nil {
		return nil, fmt.Errorf("its IR cannot be read: %w", err)
	}
	p, err := ir.Decode(string(code), library)
	if err != nil {
		return nil, fmt.Errorf("its IR cannot be read: %w", err)
	}
	return p, nil
}

// library returns what a function of a library means; see ir.Func.Library. It is in the generated file of the library.
func library(name string) (*ir.Program, error) {
	table.Lock()
	if table.library == nil {
		table.library = map[string]*form{}
		for _, k := range table.named {
			for _, f := range k.forms {
				if f.own() {
					table.library[f.Name] = f
				}
			}
		}
	}
	f := table.library[name]
	table.Unlock()
	if f == nil || f.IR == "" {
		return nil, errors.New("it has no device form in this program")
	}
	if _, err := f.changed(); err != nil {
		return nil, fmt.Errorf("%w: run 'go generate' in %s, too", err, f.source.path)
	}
	return f.Decode()
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

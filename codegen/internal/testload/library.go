package testload

import (
	"fmt"

	"github.com/skelgo/skelgo/codegen/ir"
)

// Library returns the functions of libraries that p contains, as ir.Decode needs them.
func Library(p *ir.Program) func(name string) (*ir.Program, error) {
	return func(name string) (*ir.Program, error) {
		for i, f := range p.Funcs {
			if f.Library == name {
				return &ir.Program{Root: f, Funcs: p.Funcs[:i+1], Types: p.Types}, nil
			}
		}
		return nil, fmt.Errorf("the program does not contain %s", name)
	}
}

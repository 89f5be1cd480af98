package opencl

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"

	"github.com/skelgo/skelgo/devices/driver"
	shared "github.com/skelgo/skelgo/devices/internal/prelude"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed prelude.cl
var ownPrelude string

var prelude = shared.Complete(ownPrelude)

//go:embed pocl.cl
var poclDeclarations string

// afterPrelude makes the compiler count the program's lines from 1.
const afterPrelude = "\n#line 1 \"program\"\n"

// float64Word matches a line that names the type f64, unless a #line directive does, whose
// file may have such a name.
var float64Word = regexp.MustCompile(`(?m)^(?:[^#\n]|#[^l\n]).*\bf64\b|^f64\b`)

// Build compiles a program or loads the binary of an earlier Build. The error
// of a program that does not compile is a *BuildError.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	if p.C == "" && p.Binary == nil {
		return nil, fmt.Errorf("opencl: program %s has no C form", p.Name)
	}
	if !d.info.Float64 && float64Word.MatchString(p.C) {
		return nil, fmt.Errorf("opencl: %s computes in float64, which %s does not have", p.Name, d.info.Name)
	}
	prog, err := d.build(p)
	if err != nil {
		return nil, err
	}
	k, err := d.kernel(prog, p.Name)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w", errors.Join(err, prog.Release()))
	}
	if d.isPocl() {
		k.text = text(p)
	}
	return k, nil
}

// build compiles the program's text or loads its binary. On PoCL it first
// compiles the text with pocl.cl instead of PoCL's own header; a program that
// uses a function that pocl.cl does not declare fails and is compiled again.
func (d *Device) build(p driver.Program) (*cl.Program, error) {
	options := d.options
	if p.Checked {
		options += " -DSKEL_CHECK"
	}
	if p.Binary != nil {
		data, err := d.unseal(p.Binary)
		if err != nil {
			return nil, fmt.Errorf("opencl: %s: %w", p.Name, err)
		}
		prog, err := d.platform.ctx.CreateProgramWithBinary([]*cl.Device{d.dev}, [][]byte{data})
		return d.built(p, prog, err, options)
	}
	if d.isPocl() {
		prog, err := d.platform.ctx.CreateProgramWithSource(poclDeclarations, prelude, afterPrelude, p.C)
		if prog, err = d.built(p, prog, err, options+" -D_OPENCL_H_"); err == nil {
			return prog, nil
		}
	}
	prog, err := d.platform.ctx.CreateProgramWithSource(prelude, afterPrelude, p.C)
	return d.built(p, prog, err, options)
}

// built builds a newly created program unless creating it failed.
func (d *Device) built(p driver.Program, prog *cl.Program, err error, options string) (*cl.Program, error) {
	if err != nil {
		return nil, fmt.Errorf("opencl: %s: %w", p.Name, err)
	}
	if err := prog.Build(options, d.dev); err != nil {
		return nil, errors.Join(newBuildError(p, prelude+afterPrelude+p.C, err), prog.Release())
	}
	return prog, nil
}

func (d *Device) kernel(prog *cl.Program, name string) (*Kernel, error) {
	k, err := prog.CreateKernel(name)
	if err != nil {
		return nil, err
	}
	n, err := k.NumArgs()
	if err != nil {
		return nil, errors.Join(err, k.Release())
	}
	args := make([]argument, n)
	for i, p := range parameters(k, n) {
		args[i].parameter = p
	}
	return &Kernel{dev: d, prog: prog, kernel: k, args: args}, nil
}

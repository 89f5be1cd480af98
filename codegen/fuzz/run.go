package fuzz

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/internal/testload"
	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/devices/driver"
)

// Go builds and runs the package in dir and returns its output.
func (b *Batch) Go(dir string) ([]byte, error) {
	bin := filepath.Join(dir, "programs.exe")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the generated Go does not build: %w\n%s", err, out)
	}
	run := exec.Command(bin)
	run.Stdin = bytes.NewReader(append(bytes.Clone(b.in), b.out...))
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("the generated Go stops: %w\n%s", err, stderr.Bytes())
	}
	if len(out) != len(b.out) {
		return nil, fmt.Errorf("the generated Go wrote %d bytes, not %d", len(out), len(b.out))
	}
	return out, nil
}

// Lower translates the programs of the package in dir. The form of a refused
// program is nil, and its error is in the list: the generator should stay
// within the subset.
func (b *Batch) Lower(dir string) ([]*emit.Form, []error) {
	pkg, err := load(dir)
	if err != nil {
		return nil, []error{err}
	}
	l := lower.New([]*packages.Package{pkg})
	forms, errs := make([]*emit.Form, len(b.Programs)), []error(nil)
	for i, p := range b.Programs {
		f, err := lowerOne(l, pkg, numbered(p.root, i))
		if err != nil {
			errs = append(errs, fmt.Errorf("seed %d: %w", p.Seed, err))
			continue
		}
		forms[i] = f
	}
	return forms, errs
}

func load(dir string) (*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: lower.Mode, Dir: dir,
		Env: append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")}, ".")
	if err != nil {
		return nil, err
	}
	if errs := pkgs[0].Errors; len(errs) > 0 {
		return nil, fmt.Errorf("the generated Go: %w", errs[0])
	}
	return pkgs[0], nil
}

func lowerOne(l *lower.Lowerer, pkg *packages.Package, name string) (*emit.Form, error) {
	fn, ok := pkg.Types.Scope().Lookup(name).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("no function %s", name)
	}
	prog, err := l.Lower(lower.Request{Func: fn})
	if err != nil {
		return nil, err
	}
	if prog, err = ir.Decode(ir.Encode(prog), testload.Library(prog)); err != nil { // tests the coder
		return nil, err
	}
	return emit.C(prog), nil
}

// Device builds and runs the C text of the programs and returns their output.
func (b *Batch) Device(dev driver.Device, forms []*emit.Form) ([]byte, error) {
	kernel, err := dev.Build(driver.Program{Name: kernelName, C: b.C(forms)})
	if err != nil {
		return nil, err
	}
	defer kernel.Close()
	in, err := upload(dev, b.in)
	if err != nil {
		return nil, err
	}
	defer in.Free()
	out, err := upload(dev, b.out)
	if err != nil {
		return nil, err
	}
	defer out.Free()
	if _, err := kernel.Launch(driver.Grid{Groups: int64(len(b.Programs)), Lanes: 1}, driver.Memory(in),
		driver.Memory(out)); err != nil {
		return nil, err
	}
	got := make([]byte, len(b.out))
	done, err := out.Read(0, got)
	if err != nil {
		return nil, err
	}
	return got, done.Wait()
}

func upload(dev driver.Device, p []byte) (driver.Buffer, error) {
	buf, err := dev.Alloc(int64(len(p)))
	if err != nil {
		return nil, err
	}
	done, err := buf.Write(0, p)
	if err != nil {
		return nil, err
	}
	return buf, done.Wait()
}

// Run compares both forms of the programs, in an empty folder. The refused
// errors are those of programs that were refused.
func (b *Batch) Run(dev driver.Device, dir string) (forms []*emit.Form, diffs []Difference, refused []error,
	err error) {
	if err := b.Write(dir); err != nil {
		return nil, nil, nil, err
	}
	want, err := b.Go(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	forms, refused = b.Lower(dir)
	if forms == nil {
		return nil, nil, nil, refused[0]
	}
	got, err := b.Device(dev, forms)
	if err != nil {
		return nil, nil, refused, err
	}
	return forms, b.Compare(want, got, forms), refused, nil
}

// patience is the maximum duration of Shrink.
const patience = 90 * time.Second

// Shrink reduces the program of a difference as long as a difference remains.
// dir contains the batch.
func (b *Batch) Shrink(dev driver.Device, dir string, d Difference) (*Batch, Difference, []*emit.Form) {
	forms, _ := b.Lower(dir)
	pkg, err := load(dir)
	if err != nil {
		return b, d, forms
	}
	for begin := time.Now(); ; {
		list := smaller(b.Programs[d.Program], pkg.Imports)
		found := false
		for len(list) > 0 && !found {
			n := min(50, len(list))
			v := b.variants(d.Program, list[:n])
			list = list[n:]
			vforms, diffs, _, err := v.Run(dev, dir)
			if err == nil && len(diffs) > 0 {
				best := diffs[0]
				for _, x := range diffs {
					if len(v.Programs[x.Program].Source) < len(v.Programs[best.Program].Source) {
						best = x
					}
				}
				b, d, forms, found = v, best, vforms, true
			}
		}
		if !found || time.Since(begin) > patience {
			return b, d, forms
		}
	}
}

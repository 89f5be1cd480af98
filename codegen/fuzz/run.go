package fuzz

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/lower"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
)

// Go builds and runs the package in dir, and gives its output.
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

// Lower translates the programs of the package in dir. What is refused is
// nil, and its error is in the list: the generator should stay within the
// subset.
func (b *Batch) Lower(dir string) ([]*registry.Func, []error) {
	pkgs, err := packages.Load(&packages.Config{Mode: lower.Mode, Dir: dir, Env: append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")}, ".")
	if err != nil {
		return nil, []error{err}
	}
	if n := packages.PrintErrors(pkgs); n > 0 {
		return nil, []error{fmt.Errorf("the generated Go has %d errors", n)}
	}
	l := lower.New(pkgs)
	forms, errs := make([]*registry.Func, len(b.Programs)), []error(nil)
	for i, p := range b.Programs {
		f, err := lowerOne(l, pkgs[0], p.root)
		if err != nil {
			errs = append(errs, fmt.Errorf("seed %d: %w", p.Seed, err))
			continue
		}
		forms[i] = f
	}
	return forms, errs
}

func lowerOne(l *lower.Lowerer, pkg *packages.Package, name string) (*registry.Func, error) {
	fn, ok := pkg.Types.Scope().Lookup(name).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("there is no function %s", name)
	}
	prog, err := l.Lower(lower.Request{Func: fn})
	if err != nil {
		return nil, err
	}
	f := emit.C(prog)
	return &f, nil
}

// Device builds and runs the C of the programs, and gives their output.
func (b *Batch) Device(dev driver.Device, forms []*registry.Func) ([]byte, error) {
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
	if _, err := kernel.Launch(driver.Grid{Groups: int64(len(b.Programs)), Lanes: 1}, driver.Memory(in), driver.Memory(out)); err != nil {
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

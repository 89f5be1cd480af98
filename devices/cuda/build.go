package cuda

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/devices/cuda/cu"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/internal/prelude"
)

//go:embed prelude.cu
var ownPrelude string

// Prelude precedes every program that is built as CUDA C.
var Prelude = prelude.Complete(ownPrelude)

// afterPrelude makes the compiler count the program's lines from 1.
const afterPrelude = "\n#line 1 \"program\"\n"

// compilerOptions are the options of NVRTC except the architecture. Division,
// square root and denormals are exact by default; --fmad=false keeps x*y + z at
// two roundings.
var compilerOptions = []string{"--std=c++17", "-default-device", "--fmad=false"}

// Build compiles a program or loads the binary of an earlier Build. The error
// of a program that does not compile is a *BuildError. A program with a binary
// does not need NVRTC.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	if p.C == "" && p.Binary == nil {
		return nil, fmt.Errorf("cuda: program %s has no C form", p.Name)
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	image, err := d.image(p)
	if err != nil {
		return nil, err
	}
	mod, err := d.ctx.LoadData(image)
	if err != nil {
		return nil, fmt.Errorf("cuda: %s: %w", p.Name, err)
	}
	k, err := d.kernel(mod, p.Name)
	if err != nil {
		return nil, fmt.Errorf("cuda: %w", join(err, mod.Unload()))
	}
	k.image = image
	d.holders.Add(1)
	return k, nil
}

// image returns the machine code of a program.
func (d *Device) image(p driver.Program) ([]byte, error) {
	if p.Binary != nil {
		image, err := d.unseal(p.Binary)
		if err != nil {
			return nil, fmt.Errorf("cuda: %s: %w", p.Name, err)
		}
		return image, nil
	}
	prog, err := d.compile(p)
	if err != nil {
		return nil, d.buildError(p, err)
	}
	get := prog.CUBIN
	if d.target() != "sm_"+strconv.Itoa(d.arch) {
		get = prog.PTX // compiled by the driver
	}
	image, err := get()
	if err = join(err, prog.Destroy()); err != nil {
		return nil, fmt.Errorf("cuda: %s: %w", p.Name, err)
	}
	return image, nil
}

func (d *Device) compile(p driver.Program) (*cu.Program, error) {
	if err := cu.LoadNVRTC(); err != nil {
		return nil, err
	}
	options := append(slices.Clone(d.options), "--gpu-architecture="+d.target())
	if p.Checked {
		options = append(options, "-DSKEL_CHECK")
	}
	return cu.Compile("prelude.cu", Prelude+afterPrelude+p.C, options...)
}

// target returns the architecture for NVRTC: that of the device or, if NVRTC is
// too old for it, the newest that NVRTC supports.
func (d *Device) target() string {
	archs, err := cu.SupportedArchs()
	if err != nil || len(archs) == 0 || slices.Contains(archs, d.arch) {
		return "sm_" + strconv.Itoa(d.arch)
	}
	newest := 0
	for _, a := range archs {
		if a <= d.arch {
			newest = max(newest, a)
		}
	}
	if newest == 0 { // the device is too old: NVRTC reports it
		newest = d.arch
	}
	return "compute_" + strconv.Itoa(newest)
}

const installNVRTC = "install the CUDA toolkit (or only its package cuda-nvrtc, or nvidia-cuda-nvrtc of pip with " +
	"its folder in LD_LIBRARY_PATH), or set CUDA_PATH to its folder"

// buildError converts an error of NVRTC.
func (d *Device) buildError(p driver.Program, err error) error {
	if errors.Is(err, cu.ErrNoLibrary) {
		return fmt.Errorf("cuda: cannot compile %s: %w: %s", p.Name, err, installNVRTC)
	}
	c, ok := errors.AsType[*cu.CompileError](err)
	if !ok {
		return fmt.Errorf("cuda: %s: %w", p.Name, err)
	}
	return &BuildError{Program: p.Name, Device: d.info.Name, Errors: diagnostics(c.Log), Log: c.Log,
		Err: fmt.Errorf("nvrtcCompileProgram: %w", c.Result)}
}

// Fingerprint identifies the prelude and the options.
func (d *Device) Fingerprint() string {
	return strings.Join(d.options, " ") + " sm_" + strconv.Itoa(d.arch) + "\n" + Prelude
}

package cl

import (
	"errors"
	"runtime"
	"unsafe"
)

var (
	clCreateProgramWithSource = newFunction("clCreateProgramWithSource")
	clCreateProgramWithBinary = newFunction("clCreateProgramWithBinary")
	clBuildProgram            = newFunction("clBuildProgram")
	clGetProgramInfo          = newFunction("clGetProgramInfo")
	clGetProgramBuildInfo     = newFunction("clGetProgramBuildInfo")
	clReleaseProgram          = newFunction("clReleaseProgram")
)

// Program is OpenCL C text or a binary, and the executables built from it.
type Program struct {
	object
	devices []*Device
}

// CreateProgramWithSource creates a program from OpenCL C text, which may
// consist of several pieces.
func (c *Context) CreateProgramWithSource(pieces ...string) (*Program, error) {
	var text []byte
	for _, s := range pieces {
		text = append(text, s...)
	}
	if len(text) == 0 {
		return nil, refuse("clCreateProgramWithSource", InvalidValue, "no text")
	}
	var pins runtime.Pinner // the list that C receives points to the text
	defer pins.Unpin()
	pins.Pin(&text[0])
	list, lengths := []unsafe.Pointer{unsafe.Pointer(&text[0])}, []int{len(text)}
	var code int32
	h, err := clCreateProgramWithSource.create(&code, c.Handle(), 1,
		uintptr(address(list)), uintptr(address(lengths)), uintptr(unsafe.Pointer(&code)))
	return c.program(h, c.devices, err)
}

// CreateProgramWithBinary creates a program from the result of Binaries for the
// same devices. It must be built like any other program. A binary that the
// implementation does not recognize is an error, but some implementations crash
// on a damaged one: store binaries with a checksum.
func (c *Context) CreateProgramWithBinary(devices []*Device, binaries [][]byte) (*Program, error) {
	f := clCreateProgramWithBinary
	if len(devices) == 0 || len(devices) != len(binaries) {
		return nil, refuse(f.name, InvalidValue, "%d devices and %d binaries", len(devices), len(binaries))
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	list, lengths := make([]unsafe.Pointer, len(devices)), make([]int, len(devices))
	for i, b := range binaries {
		if len(b) == 0 {
			return nil, refuse(f.name, InvalidBinary, "the binary for %s is empty", devices[i].Name())
		}
		pins.Pin(&b[0])
		list[i], lengths[i] = unsafe.Pointer(&b[0]), len(b)
	}
	var code int32
	hs := handles(devices)
	h, err := f.create(&code, c.Handle(), uintptr(len(hs)), uintptr(address(hs)),
		uintptr(address(lengths)), uintptr(address(list)), 0, uintptr(unsafe.Pointer(&code)))
	return c.program(h, devices, err)
}

func (c *Context) program(h uintptr, devices []*Device, err error) (*Program, error) {
	if err != nil {
		return nil, err
	}
	p := &Program{devices: append([]*Device{}, devices...)}
	p.made(h, &live.programs)
	return p, nil
}

// Devices returns the devices for which the program was created.
func (p *Program) Devices() []*Device { return append([]*Device{}, p.devices...) }

// Build builds the program for some of its devices, or for all if none are
// given. If the text does not compile, the error is a *BuildError.
func (p *Program) Build(options string, devices ...*Device) error {
	if len(devices) == 0 {
		devices = p.devices
	}
	hs, opt := handles(devices), append([]byte(options), 0)
	err := clBuildProgram.call(p.Handle(), uintptr(len(hs)), uintptr(address(hs)), uintptr(address(opt)), 0, 0)
	if err == nil {
		return nil
	}
	var status Status
	if !errors.As(err, &status) || status != BuildProgramFailure && status != InvalidBinary {
		return detail(err, "options %q", options)
	}
	for _, d := range devices {
		if s, _ := infoUint(clGetProgramBuildInfo, uint32(ProgramBuildStatus), p.Handle(), d.h); s == 0 &&
			len(devices) > 1 {
			continue // this one was built
		}
		log, _ := p.BuildLog(d)
		return &BuildError{Device: d.Name(), Options: options, Log: log, Status: status}
	}
	return err
}

// BuildLog returns the output of the device's compiler, including warnings.
func (p *Program) BuildLog(d *Device) (string, error) {
	return infoString(clGetProgramBuildInfo, uint32(ProgramBuildLog), p.Handle(), d.h)
}

// Info returns a text property of the program.
func (p *Program) Info(param ProgramParam) (string, error) {
	return infoString(clGetProgramInfo, uint32(param), p.Handle())
}

// Binaries returns the executables for each of Devices, nil where none was
// built. (PoCL omits devices for which the program was not built.)
func (p *Program) Binaries() ([][]byte, error) {
	sizes, err := infoSizes(clGetProgramInfo, uint32(ProgramBinarySizes), p.Handle())
	if err != nil {
		return nil, err
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	binaries, list := make([][]byte, len(sizes)), make([]unsafe.Pointer, len(sizes))
	for i, n := range sizes {
		if n > 0 {
			binaries[i] = make([]byte, n)
			pins.Pin(&binaries[i][0])
			list[i] = unsafe.Pointer(&binaries[i][0])
		}
	}
	err = clGetProgramInfo.call(p.Handle(), uintptr(ProgramBinaries), uintptr(8*len(list)), uintptr(address(list)), 0)
	return binaries, err
}

// Release releases the program. Its kernels stay valid.
func (p *Program) Release() error { return p.release(clReleaseProgram, &live.programs) }

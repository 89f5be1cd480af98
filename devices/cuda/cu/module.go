package cu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

var (
	cuModuleLoadData    = driver.Func("cuModuleLoadData")
	cuModuleGetFunction = driver.Func("cuModuleGetFunction")
	cuModuleUnload      = driver.Func("cuModuleUnload")
)

// Module is code loaded into a context.
type Module struct {
	ctx      *Ctx
	h        uintptr
	unloaded atomic.Bool
}

// LoadData loads a cubin, or PTX, which the driver then compiles. Other images
// are rejected: CUDA does not know their length and may crash.
func (c *Ctx) LoadData(image []byte) (*Module, error) {
	if err := checkImage(image); err != nil {
		return nil, refuse(cuModuleLoadData.Name, ErrorInvalidImage, "%v", err)
	}
	image = append(bytes.Clone(image), 0) // PTX must end with a zero byte
	h := new(uintptr)
	err := c.do(func() error {
		return check(cuModuleLoadData, cuModuleLoadData.Call(uintptr(unsafe.Pointer(h)), uintptr(start(image))))
	})
	if err != nil {
		return nil, detail(err, "%d bytes of code", len(image)-1)
	}
	live.modules.Add(1)
	return &Module{ctx: c, h: *h}, nil
}

// checkImage checks that an image is PTX or a complete ELF file.
func checkImage(image []byte) error {
	const cubinHeader = 64
	switch {
	case len(image) >= len(elf.ELFMAG) && string(image[:4]) == elf.ELFMAG:
		if len(image) < cubinHeader || elf.Class(image[elf.EI_CLASS]) != elf.ELFCLASS64 {
			return errors.New("the cubin is damaged")
		}
		return completeELF(image)
	case bytes.Contains(image[:min(len(image), 1<<12)], []byte(".version")) && bytes.Contains(image, []byte(".target")):
		return nil
	}
	return errors.New("the image is neither a cubin nor PTX")
}

// completeELF checks that everything that the header of an ELF file refers to
// is inside the file.
func completeELF(image []byte) error {
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(image[at:]) }
	u16 := func(at int) uint64 { return uint64(binary.LittleEndian.Uint16(image[at:])) }
	inside := func(off, size, count uint64) bool {
		n := uint64(len(image))
		return off <= n && (size == 0 || count <= (n-off)/size)
	}
	// e_phoff, e_phentsize, e_phnum; e_shoff, e_shentsize, e_shnum
	programs, sections := inside(u64(32), u16(54), u16(56)), inside(u64(40), u16(58), u16(60))
	if !programs || !sections {
		return fmt.Errorf("the cubin is truncated after %d bytes", len(image))
	}
	return nil
}

// Handle returns the CUmodule.
func (m *Module) Handle() uintptr { return m.h }

// Function returns a kernel by its name; declare the kernel as extern "C".
func (m *Module) Function(name string) (*Function, error) {
	h, text := new(uintptr), cstring(name)
	err := m.ctx.do(func() error {
		return check(cuModuleGetFunction,
			cuModuleGetFunction.Call(uintptr(unsafe.Pointer(h)), m.h, uintptr(start(text))))
	})
	if err != nil {
		return nil, detail(err, "kernel %s", name)
	}
	return &Function{ctx: m.ctx, h: *h, name: name}, nil
}

// Unload releases the code. Its kernels must not be running.
func (m *Module) Unload() error {
	if m.unloaded.Swap(true) {
		return nil
	}
	live.modules.Add(-1)
	return m.ctx.do(func() error { return check(cuModuleUnload, cuModuleUnload.Call(m.h)) })
}

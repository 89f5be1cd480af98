package emulator

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/internal/dl"
)

// Kernel is a shared library with one kernel and the runtime. It stays open.
type Kernel struct {
	dev    *Device
	name   string
	image  []byte
	info   *dl.Func
	launch *dl.Func
	sizes  []int32 // sizes of the parameters
	local  int     // bytes of static local memory
	lanes  int     // maximum in a group
	closed bool
}

// maxParameters is the maximum number of parameters of a kernel.
const maxParameters = 256

// Build compiles a program or loads the binary of an earlier Build.
func (d *Device) Build(p driver.Program) (driver.Kernel, error) {
	k, err := d.build(p)
	if err != nil {
		return nil, fmt.Errorf("emulator: %s: %w", p.Name, err)
	}
	return k, nil
}

func (d *Device) build(p driver.Program) (*Kernel, error) {
	if p.C == "" && p.Binary == nil {
		return nil, errors.New("the program has no C form")
	}
	k := &Kernel{dev: d, name: p.Name}
	var err error
	if p.Binary != nil {
		k.image, err = unseal(p.Binary)
	} else {
		k.image, err = d.compiler.image(p)
	}
	if err != nil {
		return nil, err
	}
	if err := d.compiler.open(); err != nil {
		return nil, err
	}
	file := d.compiler.file(".so") // a separate file because kernels of other devices may have the same image
	defer os.Remove(file)          // the folder is removed anyway
	if err := os.WriteFile(file, k.image, 0o600); err != nil {
		return nil, err
	}
	return k, k.load(file)
}

func (k *Kernel) load(file string) error {
	lib := &dl.Library{Title: "the kernel", Names: func() []string { return []string{file} }}
	k.info, k.launch = lib.Func("skel_info"), lib.Func("skel_launch")
	if err := lib.Load(); err != nil {
		return err
	}
	sizes, local, bound := make([]int32, maxParameters), new(int32), new(int32)
	n := k.info.Call(uintptr(unsafe.Pointer(unsafe.SliceData(sizes))), uintptr(unsafe.Pointer(local)),
		uintptr(unsafe.Pointer(bound)))
	k.sizes, k.local, k.lanes = sizes[:n], int(*local), int(*bound)
	if k.lanes == 0 {
		k.lanes = anyKernel
	}
	if k.local > staticLimit {
		return fmt.Errorf("it declares %d bytes of local memory; CUDA allows at most %d", k.local, staticLimit)
	}
	return nil
}

// Launch runs the kernel. A launch with no groups does nothing.
func (k *Kernel) Launch(g driver.Grid, args ...driver.Arg) (driver.Event, error) {
	if g.Groups == 0 {
		return driver.Done, nil
	}
	l, err := k.prepare(g, args)
	if err == nil {
		_, err = k.dev.enqueue(l.run)
	}
	if err != nil {
		return driver.Done, fmt.Errorf("emulator: %s: %w", k.name, err)
	}
	return driver.Done, nil
}

// launch is a launch that can be run repeatedly.
type launch struct {
	kernel  *Kernel
	grid    driver.Grid
	values  []uint64  // values of the arguments
	at      []uintptr // address of each argument
	buffers []*Buffer
}

func (k *Kernel) prepare(g driver.Grid, args []driver.Arg) (*launch, error) {
	switch {
	case k.closed:
		return nil, errors.New("the kernel is closed")
	case g.Groups < 0, g.Groups >= 1<<31, g.Lanes < 1, g.Lanes > maxGroup:
		return nil, fmt.Errorf("cannot launch %d groups of %d work-items", g.Groups, g.Lanes)
	case g.Lanes > k.lanes:
		return nil, fmt.Errorf("groups of %d work-items, but this kernel's registers allow at most %d",
			g.Lanes, k.lanes)
	case g.Local < 0, k.local+g.Local > localMemory:
		return nil,
			fmt.Errorf("%d bytes of dynamic local memory in addition to %d static ones, but there are only %d",
				g.Local, k.local, localMemory)
	case len(args) != len(k.sizes):
		return nil, fmt.Errorf("%d arguments for %d parameters", len(args), len(k.sizes))
	}
	words := 0
	for _, size := range k.sizes {
		words += (int(size) + 15) / 16 * 2
	}
	l := &launch{kernel: k, grid: g, values: make([]uint64, words+1), at: make([]uintptr, len(args)+1)}
	// Values are aligned to 16 bytes.
	to := 0
	if uintptr(unsafe.Pointer(unsafe.SliceData(l.values)))%16 != 0 {
		to = 1
	}
	for i := range args {
		l.at[i] = uintptr(unsafe.Pointer(&l.values[to]))
		if err := l.set(l.values[to:], int(k.sizes[i]), &args[i]); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		to += (int(k.sizes[i]) + 15) / 16 * 2
	}
	return l, nil
}

func (l *launch) set(to []uint64, size int, a *driver.Arg) error {
	if a.Buf == nil {
		switch {
		case a.Size == 0:
			return errors.New("neither a buffer nor a value")
		case a.Size != size:
			return fmt.Errorf("a value of %d bytes for a parameter of %d", a.Size, size)
		}
		copy(driver.Bytes(to), a.Bytes())
		return nil
	}
	b, ok := a.Buf.(*Buffer)
	switch {
	case !ok || b.dev != l.kernel.dev:
		return fmt.Errorf("a buffer of another device (%T)", a.Buf)
	case size != 8:
		return fmt.Errorf("a buffer for a value of %d bytes", size)
	}
	to[0] = uint64(uintptr(unsafe.Pointer(&b.room[fence])))
	l.buffers = append(l.buffers, b)
	return nil
}

// run runs a launch with Device.mu held.
func (l *launch) run() error {
	for i, b := range l.buffers {
		if b.freed {
			return fmt.Errorf("buffer %d of the arguments is freed", i)
		}
	}
	if err := l.kernel.run(l.grid, l.at); err != nil {
		return err
	}
	runtime.KeepAlive(l)
	for i, b := range l.buffers {
		if !b.intact() {
			return fmt.Errorf("buffer %d of the arguments, of %d bytes: the kernel wrote outside it", i, b.Len())
		}
	}
	return nil
}

// Close marks the kernel as closed; its library stays open.
func (k *Kernel) Close() error {
	k.dev.mu.Lock()
	defer k.dev.mu.Unlock()
	k.closed = true
	return nil
}

package baseline

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed minimum.cl
var minimumText string

// group is the size of work-groups, as in minimum.cl, and groups how many find the minimum.
const (
	group  = 256
	groups = 64
)

// Program finds the minimum of a function on grids, on one device.
type Program struct {
	objects                          []interface{ Release() error } // to be released by Close
	n                                int
	device                           *cl.Device
	context                          *cl.Context
	queue                            *cl.CommandQueue
	program                          *cl.Program
	function, minimum                *cl.Kernel
	values, least, positions, losses *cl.MemObject
}

// Function is a function with its kernel.
type Function struct{ name, text string }

// Minimum is the node with the least value.
type Minimum struct {
	Value    float64
	Position int // the lowest one, or the number of nodes if no value is finite
	Lost     int // the number of values that are not finite
}

// Open opens OpenCL device number n, counted over all platforms.
func Open(n int) (*Program, error) {
	platforms, err := cl.Platforms()
	if err != nil {
		return nil, err
	}
	var devices []*cl.Device
	for _, platform := range platforms {
		d, err := platform.Devices(cl.DeviceTypeAll)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d...)
	}
	if n >= len(devices) {
		return nil, fmt.Errorf("no OpenCL device %d: there are %d", n, len(devices))
	}
	p := &Program{device: devices[n]}
	if p.context, err = cl.CreateContext(p.device); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.objects = append(p.objects, p.context)
	if p.queue, err = p.context.CreateCommandQueue(p.device, 0); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.objects = append(p.objects, p.queue)
	return p, nil
}

// Build compiles the kernel of a function and the one that finds the minimum.
func (p *Program) Build(f Function) (err error) {
	if p.program, err = p.context.CreateProgramWithSource(f.text + minimumText); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	for _, k := range []struct {
		kernel **cl.Kernel
		name   string
	}{{&p.function, f.name}, {&p.minimum, "minimum"}} {
		if *k.kernel, err = p.program.CreateKernel(k.name); err != nil {
			return err
		}
		p.objects = append(p.objects, *k.kernel)
	}
	return nil
}

// Allocate allocates memory for the values of n nodes.
func (p *Program) Allocate(n int) (err error) {
	p.n = n
	for _, b := range []struct {
		buffer **cl.MemObject
		words  int
	}{{&p.values, n}, {&p.least, groups}, {&p.positions, groups}, {&p.losses, groups}} {
		if *b.buffer, err = p.context.CreateBuffer(cl.MemReadWrite, 8*int64(b.words), nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
	}
	return nil
}

// run computes the values of the function, and finds the least one.
func (p *Program) run() (m Minimum, err error) {
	all := []int{(p.n + group - 1) / group * group}
	if err := p.queue.EnqueueNDRangeKernel(p.function, nil, all, []int{group}, nil, nil); err != nil {
		return m, err
	}
	if err := p.minimum.SetArgs(p.values, uint64(p.n), p.least, p.positions, p.losses); err != nil {
		return m, err
	}
	if err := p.queue.EnqueueNDRangeKernel(p.minimum, nil, []int{groups * group}, []int{group}, nil, nil); err != nil {
		return m, err
	}
	least, positions, losses := make([]float64, groups), make([]uint64, groups), make([]uint64, groups)
	if err := p.queue.EnqueueReadBuffer(p.least, true, 0, cl.Bytes(least), nil, nil); err != nil {
		return m, err
	}
	if err := p.queue.EnqueueReadBuffer(p.positions, true, 0, cl.Bytes(positions), nil, nil); err != nil {
		return m, err
	}
	if err := p.queue.EnqueueReadBuffer(p.losses, true, 0, cl.Bytes(losses), nil, nil); err != nil {
		return m, err
	}
	m = Minimum{Value: least[0], Position: int(positions[0])}
	for i, v := range least {
		m.Lost += int(losses[i])
		if at := int(positions[i]); v < m.Value || v == m.Value && at < m.Position {
			m.Value, m.Position = v, at
		}
	}
	return m, nil
}

// Close releases the program's OpenCL objects, the last one first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

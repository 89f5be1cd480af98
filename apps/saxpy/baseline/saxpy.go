package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed saxpy.cl
var source string

// Program is a saxpy that is ready to run on one device.
type Program struct {
	objects []interface{ Release() error }
	n       int
	device  *cl.Device
	context *cl.Context
	queue   *cl.CommandQueue
	program *cl.Program
	kernel  *cl.Kernel
	x, y    *cl.MemObject
}

// Open prepares OpenCL device number n, counted over all platforms.
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

// Build compiles the kernel.
func (p *Program) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(source); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	if p.kernel, err = p.program.CreateKernel("saxpy"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.kernel)
	return nil
}

// Upload copies the vectors to the device.
func (p *Program) Upload(x, y []float32) (err error) {
	p.n = len(x)
	size := int64(p.n) * 4
	if p.x, err = p.context.CreateBuffer(cl.MemReadOnly, size, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.x)
	if p.y, err = p.context.CreateBuffer(cl.MemReadWrite, size, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.y)
	if err := p.queue.EnqueueWriteBuffer(p.x, true, 0, cl.Bytes(x), nil, nil); err != nil {
		return err
	}
	return p.queue.EnqueueWriteBuffer(p.y, true, 0, cl.Bytes(y), nil, nil)
}

// Run computes y = a*x + y on the device.
func (p *Program) Run(a float32) error {
	if err := p.kernel.SetArgs(a, p.x, p.y, uint64(p.n)); err != nil {
		return err
	}
	const lanes = 256
	global, local := []int{(p.n + lanes - 1) / lanes * lanes}, []int{lanes}
	if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, local, nil, nil); err != nil {
		return err
	}
	return p.queue.Finish()
}

// Download copies y to the host.
func (p *Program) Download() ([]float32, error) {
	y := make([]float32, p.n)
	return y, p.queue.EnqueueReadBuffer(p.y, true, 0, cl.Bytes(y), nil, nil)
}

// Close releases all objects of the program, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

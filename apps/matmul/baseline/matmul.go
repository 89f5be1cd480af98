package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed matmul.cl
var source string

// Program is a product of matrices that is ready to be computed on one device.
type Program struct {
	objects []interface{ Release() error }
	n, m, d int
	device  *cl.Device
	context *cl.Context
	queue   *cl.CommandQueue
	program *cl.Program
	kernel  *cl.Kernel
	a, b, c *cl.MemObject
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
	if p.kernel, err = p.program.CreateKernel("product"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.kernel)
	return nil
}

// Upload copies a, which is n x d, and b, which is d x m, to the device, row by
// row.
func (p *Program) Upload(a, b []float32, n, m, d int) (err error) {
	p.n, p.m, p.d = n, m, d
	if p.a, err = p.context.CreateBuffer(cl.MemReadOnly, int64(n)*int64(d)*4, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.a)
	if p.b, err = p.context.CreateBuffer(cl.MemReadOnly, int64(d)*int64(m)*4, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.b)
	if p.c, err = p.context.CreateBuffer(cl.MemWriteOnly, int64(n)*int64(m)*4, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.c)
	if err := p.queue.EnqueueWriteBuffer(p.a, true, 0, cl.Bytes(a), nil, nil); err != nil {
		return err
	}
	return p.queue.EnqueueWriteBuffer(p.b, true, 0, cl.Bytes(b), nil, nil)
}

// Run computes the product on the device.
func (p *Program) Run() error {
	if err := p.kernel.SetArgs(p.a, p.b, p.c, int32(p.n), int32(p.m), int32(p.d)); err != nil {
		return err
	}
	const tile, wide = 64, 16
	global := []int{(p.m + tile - 1) / tile * wide, (p.n + tile - 1) / tile * wide}
	if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, []int{wide, wide}, nil, nil); err != nil {
		return err
	}
	return p.queue.Finish()
}

// Download copies the product to the host, row by row.
func (p *Program) Download() ([]float32, error) {
	c := make([]float32, p.n*p.m)
	return c, p.queue.EnqueueReadBuffer(p.c, true, 0, cl.Bytes(c), nil, nil)
}

// Close releases all objects of the program, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

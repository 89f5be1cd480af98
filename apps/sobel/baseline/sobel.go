package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed sobel.cl
var source string

// Program is an edge filter that is ready to run on one device.
type Program struct {
	objects    []interface{ Release() error }
	rows, cols int
	device     *cl.Device
	context    *cl.Context
	queue      *cl.CommandQueue
	program    *cl.Program
	kernel     *cl.Kernel
	image      *cl.MemObject
	edges      *cl.MemObject
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
	if p.kernel, err = p.program.CreateKernel("sobel"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.kernel)
	return nil
}

// Upload copies an image of grey pixels to the device, row by row.
func (p *Program) Upload(rows, cols int, image []uint8) (err error) {
	p.rows, p.cols = rows, cols
	if p.image, err = p.context.CreateBuffer(cl.MemReadOnly, int64(len(image)), nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.image)
	if p.edges, err = p.context.CreateBuffer(cl.MemWriteOnly, int64(len(image)), nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.edges)
	return p.queue.EnqueueWriteBuffer(p.image, true, 0, image, nil, nil)
}

// Run finds the edges on the device.
func (p *Program) Run() error {
	if err := p.kernel.SetArgs(p.image, p.edges, int32(p.rows), int32(p.cols)); err != nil {
		return err
	}
	const tile = 16
	global, local := []int{(p.cols + tile - 1) / tile * tile, (p.rows + tile - 1) / tile * tile}, []int{tile, tile}
	if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, local, nil, nil); err != nil {
		return err
	}
	return p.queue.Finish()
}

// Download copies the edges to the host, row by row.
func (p *Program) Download() ([]uint8, error) {
	edges := make([]uint8, p.rows*p.cols)
	return edges, p.queue.EnqueueReadBuffer(p.edges, true, 0, edges, nil, nil)
}

// Close releases all objects of the program, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed mandelbrot.cl
var source string

// Program is a Mandelbrot image that is ready to be computed on one device.
type Program struct {
	objects    []interface{ Release() error }
	rows, cols int
	device     *cl.Device
	context    *cl.Context
	queue      *cl.CommandQueue
	program    *cl.Program
	kernel     *cl.Kernel
	image      *cl.MemObject
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
	if p.kernel, err = p.program.CreateKernel("mandelbrot"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.kernel)
	return nil
}

// Allocate makes room for an image of rows x cols pixels.
func (p *Program) Allocate(rows, cols int) (err error) {
	p.rows, p.cols = rows, cols
	if p.image, err = p.context.CreateBuffer(cl.MemWriteOnly, int64(rows)*int64(cols)*4, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.image)
	return nil
}

// Run computes the image on the device. (left, top) is the point of the first
// pixel, step the distance between neighbours, and limit the number of steps
// after which a point counts as inside.
func (p *Program) Run(left, top, step float32, limit int32) error {
	if err := p.kernel.SetArgs(p.image, int32(p.rows), int32(p.cols), left, top, step, limit); err != nil {
		return err
	}
	const tile = 16
	global, local := []int{(p.cols + tile - 1) / tile * tile, (p.rows + tile - 1) / tile * tile}, []int{tile, tile}
	if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, local, nil, nil); err != nil {
		return err
	}
	return p.queue.Finish()
}

// Download copies the image to the host, row by row.
func (p *Program) Download() ([]int32, error) {
	image := make([]int32, p.rows*p.cols)
	return image, p.queue.EnqueueReadBuffer(p.image, true, 0, cl.Bytes(image), nil, nil)
}

// Close releases all objects of the program, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

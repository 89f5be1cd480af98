package baseline

import (
	_ "embed" // the kernel
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed grayscott.cl
var source string

// Program is a simulation that is ready to run on one device.
type Program struct {
	objects    []interface{ Release() error }
	rows, cols int
	device     *cl.Device
	context    *cl.Context
	queue      *cl.CommandQueue
	program    *cl.Program
	kernel     *cl.Kernel
	plates     [3]*cl.MemObject // the uploaded plate, and two that alternate
	current    int              // the index of the newest plate
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
	if p.kernel, err = p.program.CreateKernel("react"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.kernel)
	return nil
}

// Upload copies a plate to the device: the two concentrations of each cell, row by
// row.
func (p *Program) Upload(rows, cols int, plate []float32) (err error) {
	p.rows, p.cols = rows, cols
	for i := range p.plates {
		if p.plates[i], err = p.context.CreateBuffer(cl.MemReadWrite, int64(len(plate))*4, nil); err != nil {
			return err
		}
		p.objects = append(p.objects, p.plates[i])
	}
	return p.queue.EnqueueWriteBuffer(p.plates[0], true, 0, cl.Bytes(plate), nil, nil)
}

// Run computes steps on the device, from the plate that was uploaded.
func (p *Program) Run(feed, kill float32, steps int) error {
	const tile = 16
	global := []int{(p.cols + tile - 1) / tile * tile, (p.rows + tile - 1) / tile * tile}
	p.current = 0
	for step := range steps {
		next := 1 + step%2
		err := p.kernel.SetArgs(p.plates[p.current], p.plates[next], int32(p.rows), int32(p.cols), feed, kill)
		if err != nil {
			return err
		}
		if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, []int{tile, tile}, nil, nil); err != nil {
			return err
		}
		p.current = next
	}
	return p.queue.Finish()
}

// Download copies the plate to the host.
func (p *Program) Download() ([]float32, error) {
	plate := make([]float32, 2*p.rows*p.cols)
	return plate, p.queue.EnqueueReadBuffer(p.plates[p.current], true, 0, cl.Bytes(plate), nil, nil)
}

// Close releases all objects, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

package baseline

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed tree.cl
var treeSource string

//go:embed chunk.cl
var chunkSource string

// Form is a form of the kernel, with the numbers of work-groups and work-items for it.
type Form struct {
	source       string
	groups, lane int // work-groups for each compute unit, and work-items in a group
}

// The forms of the kernel: Tree is the usual one, for GPUs; Chunk suits CPUs that run
// OpenCL.
var (
	Tree  = Form{treeSource, 16, 256}
	Chunk = Form{chunkSource, 4, 1}
)

// Program is a dot product that is ready to run on one device.
type Program struct {
	objects []interface{ Release() error }
	form    Form
	groups  int
	n       int
	device  *cl.Device
	context *cl.Context
	queue   *cl.CommandQueue
	program *cl.Program
	kernel  *cl.Kernel
	x, y    *cl.MemObject
	partial *cl.MemObject
}

// Open prepares OpenCL device number n, counted over all platforms.
func Open(n int, form Form) (*Program, error) {
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
	p := &Program{form: form, device: devices[n]}
	units, err := p.device.InfoUint(cl.DeviceMaxComputeUnits)
	if err != nil {
		return nil, err
	}
	p.groups = int(units) * form.groups
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
	if p.program, err = p.context.CreateProgramWithSource(p.form.source); err != nil {
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

// Upload copies the vectors to the device.
func (p *Program) Upload(x, y []float32) (err error) {
	p.n = len(x)
	size := int64(p.n) * 4
	if p.x, err = p.context.CreateBuffer(cl.MemReadOnly, size, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.x)
	if p.y, err = p.context.CreateBuffer(cl.MemReadOnly, size, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.y)
	if p.partial, err = p.context.CreateBuffer(cl.MemWriteOnly, int64(p.groups)*4, nil); err != nil {
		return err
	}
	p.objects = append(p.objects, p.partial)
	if err := p.queue.EnqueueWriteBuffer(p.x, true, 0, cl.Bytes(x), nil, nil); err != nil {
		return err
	}
	return p.queue.EnqueueWriteBuffer(p.y, true, 0, cl.Bytes(y), nil, nil)
}

// Run computes the dot product of the vectors on the device. The host adds up the partial
// results of the work-groups.
func (p *Program) Run() (float32, error) {
	if err := p.kernel.SetArgs(p.x, p.y, p.partial, uint64(p.n), cl.Local(p.form.lane*4)); err != nil {
		return 0, err
	}
	global, local := []int{p.groups * p.form.lane}, []int{p.form.lane}
	if err := p.queue.EnqueueNDRangeKernel(p.kernel, nil, global, local, nil, nil); err != nil {
		return 0, err
	}
	partial := make([]float32, p.groups)
	if err := p.queue.EnqueueReadBuffer(p.partial, true, 0, cl.Bytes(partial), nil, nil); err != nil {
		return 0, err
	}
	var sum float32
	for _, s := range partial {
		sum += s
	}
	return sum, nil
}

// Close releases all objects of the program, the newest first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

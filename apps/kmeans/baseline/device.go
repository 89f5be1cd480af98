package baseline

import (
	_ "embed" // the kernels
	"errors"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed device.cl
var deviceSource string

// OnDevice is k-means on the device alone: points, labels, sums and centres stay there, and
// the host only receives the number of labels that moved.
type OnDevice struct {
	objects                                               []interface{ Release() error }
	n, dim, k, stride                                     int
	items                                                 int // work-items that share the points, tile by tile
	device                                                *cl.Device
	context                                               *cl.Context
	queue                                                 *cl.CommandQueue
	program                                               *cl.Program
	swap, assign, update                                  *cl.Kernel
	rows, columns, centres, labels, partial, moved, total *cl.MemObject
}

// tile is the number of points that a work-item keeps in its cache; device.cl
// has the same.
const tile = 256

// OpenOnDevice prepares OpenCL device number n, counted over all platforms.
func OpenOnDevice(n int) (*OnDevice, error) {
	device, err := find(n)
	if err != nil {
		return nil, err
	}
	p := &OnDevice{device: device}
	units, err := p.device.InfoUint(cl.DeviceMaxComputeUnits)
	if err != nil {
		return nil, err
	}
	p.items = 4 * int(units)
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

// Build compiles the kernels.
func (p *OnDevice) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(deviceSource); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	if p.swap, err = p.program.CreateKernel("swap"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.swap)
	if p.assign, err = p.program.CreateKernel("assign"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.assign)
	if p.update, err = p.program.CreateKernel("update"); err != nil {
		return err
	}
	p.objects = append(p.objects, p.update)
	return nil
}

// Upload copies n points of dim coordinates to the device and allocates memory for k
// centres.
func (p *OnDevice) Upload(points []float32, n, dim, k int) (err error) {
	p.n, p.dim, p.k = n, dim, k
	p.stride = (n + tile - 1) / tile * tile
	for _, b := range []struct {
		buffer **cl.MemObject
		flags  cl.MemFlags
		size   int
	}{
		{&p.rows, cl.MemReadOnly, 4 * n * dim},
		{&p.columns, cl.MemReadWrite, 4 * p.stride * dim},
		{&p.centres, cl.MemReadWrite, 4 * k * dim},
		{&p.labels, cl.MemReadWrite, 4 * p.stride},
		{&p.partial, cl.MemReadWrite, 8 * p.items * k * (dim + 1)},
		{&p.moved, cl.MemReadWrite, 4 * p.items},
		{&p.total, cl.MemWriteOnly, 4},
	} {
		if *b.buffer, err = p.context.CreateBuffer(b.flags, int64(b.size), nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
	}
	if err := p.queue.EnqueueWriteBuffer(p.rows, true, 0, cl.Bytes(points), nil, nil); err != nil {
		return err
	}
	if err := p.swap.SetArgs(p.rows, p.columns, int32(n), int32(dim), int32(p.stride)); err != nil {
		return err
	}
	if err := p.queue.EnqueueNDRangeKernel(p.swap, nil, []int{p.stride}, []int{tile}, nil, nil); err != nil {
		return err
	}
	return p.queue.Finish()
}

// Run moves the given centres until no label moves, at most maxIter times. It leaves the
// centres and the labels that belong to them on the device.
func (p *OnDevice) Run(centres []float32, maxIter int) (iterations int, err error) {
	if err := p.queue.EnqueueWriteBuffer(p.centres, true, 0, cl.Bytes(centres), nil, nil); err != nil {
		return 0, err
	}
	if err := p.queue.EnqueueFillBuffer(p.labels, cl.Bytes([]int32{-1}), 0, int64(4*p.stride), nil, nil); err != nil {
		return 0, err
	}
	n, k, dim := int32(p.n), int32(p.k), int32(p.dim)
	if err := p.assign.SetArgs(p.columns, p.centres, p.labels, p.partial, p.moved, n, k, dim,
		int32(p.stride)); err != nil {
		return 0, err
	}
	if err := p.update.SetArgs(p.partial, p.moved, p.centres, p.total, int32(p.items), k, dim); err != nil {
		return 0, err
	}
	moved := []int32{1}
	for ; moved[0] > 0 && iterations < maxIter; iterations++ {
		if err := p.queue.EnqueueNDRangeKernel(p.assign, nil, []int{p.items}, []int{1}, nil, nil); err != nil {
			return 0, err
		}
		if err := p.queue.EnqueueNDRangeKernel(p.update, nil, []int{p.k * p.dim}, nil, nil, nil); err != nil {
			return 0, err
		}
		if err := p.queue.EnqueueReadBuffer(p.total, true, 0, cl.Bytes(moved), nil, nil); err != nil {
			return 0, err
		}
	}
	if moved[0] > 0 {
		if err := p.queue.EnqueueNDRangeKernel(p.assign, nil, []int{p.items}, []int{1}, nil, nil); err != nil {
			return 0, err
		}
	}
	return iterations, p.queue.Finish()
}

// Download copies the labels and the centres to the host.
func (p *OnDevice) Download() (labels []int32, centres []float32, err error) {
	labels, centres = make([]int32, p.n), make([]float32, p.k*p.dim)
	if err := p.queue.EnqueueReadBuffer(p.labels, true, 0, cl.Bytes(labels), nil, nil); err != nil {
		return nil, nil, err
	}
	return labels, centres, p.queue.EnqueueReadBuffer(p.centres, true, 0, cl.Bytes(centres), nil, nil)
}

// Close releases all objects of the program, the newest first.
func (p *OnDevice) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

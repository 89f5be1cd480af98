package baseline

import (
	_ "embed" // the kernels
	"errors"
	"fmt"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed tmixture.cl
var source string

// names are the names of the kernels.
var names = []string{
	"swap", "subtract", "product", "row_products", "densities", "row_sums", "posteriors", "weights", "multiply",
	"sum_columns", "sum_products", "statistic", "smx", "column_products", "add_partial",
}

// The sizes of work-groups, as in tmixture.cl.
const (
	group = 256
	tile  = 64
	wide  = 16
)

// parts is the number of work-groups that share the rows of a sum.
const parts = 64

// Program fits mixtures on one device.
type Program struct {
	Lap    func(part string)             // timing: called after each part of an iteration
	Record func(kernel string) *cl.Event // timing: returns the event of a launch

	objects []interface{ Release() error } // to be released by Close
	n, p, g int
	center  []float64 // the means of the columns
	device  *cl.Device
	context *cl.Context
	queue   *cl.CommandQueue
	program *cl.Program
	kernels map[string]*cl.Kernel

	points, centers, x, m, e       *cl.MemObject // n x p
	delta, logs, z, u, q           *cl.MemObject // n x g
	c                              *cl.MemObject // n
	mu, inverses, constants, f     *cl.MemObject // of the components
	partial, products, covariances *cl.MemObject
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
	p := &Program{device: devices[n], kernels: map[string]*cl.Kernel{}}
	p.Lap = func(string) {} // timing
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
func (p *Program) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(source); err != nil {
		return err
	}
	p.objects = append(p.objects, p.program)
	if err := p.program.Build("-cl-std=CL1.2"); err != nil {
		return err
	}
	for _, name := range names {
		k, err := p.program.CreateKernel(name)
		if err != nil {
			return err
		}
		p.objects = append(p.objects, k)
		p.kernels[name] = k
	}
	return nil
}

// Upload copies n points of dim coordinates to the device, minus the means of the columns,
// and allocates memory for g components.
func (p *Program) Upload(points []float64, n, dim, g int) (err error) {
	p.n, p.p, p.g = n, dim, g
	p.center = make([]float64, dim)
	for i := range n {
		for c, v := range points[i*dim : (i+1)*dim] {
			p.center[c] += v / float64(n)
		}
	}
	for _, b := range []struct {
		buffer **cl.MemObject
		words  int
	}{
		{&p.points, n * dim}, {&p.centers, dim}, {&p.x, n * dim}, {&p.m, n * dim}, {&p.e, n * dim},
		{&p.delta, n * g}, {&p.logs, n * g}, {&p.z, n * g}, {&p.u, n * g}, {&p.q, n * g}, {&p.c, n},
		{&p.mu, g * dim}, {&p.inverses, g * dim * dim}, {&p.constants, g}, {&p.f, g},
		{&p.partial, parts * g}, {&p.products, parts * dim * max(g, dim)}, {&p.covariances, dim * max(g, g*dim)},
	} {
		if *b.buffer, err = p.context.CreateBuffer(cl.MemReadWrite, 8*int64(b.words), nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
	}
	if err := p.write(p.points, points); err != nil {
		return err
	}
	if err := p.write(p.centers, p.center); err != nil {
		return err
	}
	if err := p.launch("swap", p.rows(dim), nil, p.points, p.centers, p.x, int32(n), int32(dim)); err != nil {
		return err
	}
	return p.queue.Finish()
}

func (p *Program) write(m *cl.MemObject, v []float64) error {
	return p.queue.EnqueueWriteBuffer(m, true, 0, cl.Bytes(v), nil, nil)
}

func (p *Program) read(m *cl.MemObject, v []float64) error {
	return p.queue.EnqueueReadBuffer(m, true, 0, cl.Bytes(v), nil, nil)
}

// rows returns the global size with a work-item for each row and column.
func (p *Program) rows(cols int) []int { return []int{(p.n + group - 1) / group * group, cols} }

// launch runs a kernel. The local size may be nil if all dimensions but the first are not
// shared.
func (p *Program) launch(name string, global, local []int, args ...any) error {
	k := p.kernels[name]
	if err := k.SetArgs(args...); err != nil {
		return err
	}
	if local == nil {
		local = []int{group, 1}
	}
	var event *cl.Event
	if p.Record != nil { // timing
		event = p.Record(name) // timing
	} // timing
	return p.queue.EnqueueNDRangeKernel(k, nil, global, local, nil, event)
}

// Close releases the program's OpenCL objects, the last one first.
func (p *Program) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}

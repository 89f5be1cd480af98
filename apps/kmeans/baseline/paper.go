package baseline

import (
	_ "embed" // the kernels
	"errors"
	"slices"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

//go:embed paper.cl
var paperSource string

// Paper is k-means as in the program that the paper compares with: the device finds the
// nearest centres, and the host computes the new ones. It follows Rodinia's program, with
// points in columns, but with 64-bit sums and no repeated launches.
type Paper struct {
	Lap func(part string) // timing: called after each part of an iteration

	objects                        []interface{ Release() error }
	n, dim, k                      int
	points                         []float32
	device                         *cl.Device
	context                        *cl.Context
	queue                          *cl.CommandQueue
	program                        *cl.Program
	swap, assign                   *cl.Kernel
	rows, columns, centres, labels *cl.MemObject
}

// OpenPaper prepares OpenCL device number n, counted over all platforms.
func OpenPaper(n int) (*Paper, error) {
	device, err := find(n)
	if err != nil {
		return nil, err
	}
	p := &Paper{Lap: func(string) {}, device: device}
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
func (p *Paper) Build() (err error) {
	if p.program, err = p.context.CreateProgramWithSource(paperSource); err != nil {
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
	return nil
}

// Upload copies n points of dim coordinates to the device.
func (p *Paper) Upload(points []float32, n, dim, k int) (err error) {
	p.points, p.n, p.dim, p.k = points, n, dim, k
	for _, b := range []struct {
		buffer **cl.MemObject
		flags  cl.MemFlags
		words  int
	}{
		{&p.rows, cl.MemReadOnly, n * dim},
		{&p.columns, cl.MemReadWrite, n * dim},
		{&p.centres, cl.MemReadOnly, k * dim},
		{&p.labels, cl.MemWriteOnly, n},
	} {
		if *b.buffer, err = p.context.CreateBuffer(b.flags, int64(b.words)*4, nil); err != nil {
			return err
		}
		p.objects = append(p.objects, *b.buffer)
	}
	if err := p.queue.EnqueueWriteBuffer(p.rows, true, 0, cl.Bytes(points), nil, nil); err != nil {
		return err
	}
	if err := p.swap.SetArgs(p.rows, p.columns, int32(n), int32(dim)); err != nil {
		return err
	}
	if err := p.launch(p.swap); err != nil {
		return err
	}
	return p.queue.Finish()
}

// launch runs a kernel with one work-item for every point.
func (p *Paper) launch(k *cl.Kernel) error {
	const lanes = 256
	global, local := []int{(p.n + lanes - 1) / lanes * lanes}, []int{lanes}
	return p.queue.EnqueueNDRangeKernel(k, nil, global, local, nil, nil)
}

// Run moves the centres until no label moves, at most maxIter times. It modifies centres and
// returns the label of each point.
func (p *Paper) Run(centres []float32, maxIter int) (labels []int32, iterations int, err error) {
	labels = make([]int32, p.n)
	for i := range labels {
		labels[i] = -1
	}
	moved, nearest := p.n, make([]int32, p.n)
	for ; moved > 0 && iterations < maxIter; iterations++ {
		if err := p.nearest(centres, nearest); err != nil {
			return nil, 0, err
		}
		p.Lap("transfer") // timing
		moved = p.update(centres, labels, nearest)
		p.Lap("host") // timing
	}
	if moved == 0 {
		return labels, iterations, nil
	}
	return labels, iterations, p.nearest(centres, labels)
}

// nearest finds the nearest centre of every point, on the device.
func (p *Paper) nearest(centres []float32, labels []int32) error {
	if err := p.queue.EnqueueWriteBuffer(p.centres, true, 0, cl.Bytes(centres), nil, nil); err != nil {
		return err
	}
	p.Lap("transfer") // timing
	if err := p.assign.SetArgs(p.columns, p.centres, p.labels, int32(p.n), int32(p.k), int32(p.dim)); err != nil {
		return err
	}
	if err := p.launch(p.assign); err != nil {
		return err
	}
	if err := p.queue.Finish(); err != nil {
		return err
	}
	p.Lap("kernel") // timing
	return p.queue.EnqueueReadBuffer(p.labels, true, 0, cl.Bytes(labels), nil, nil)
}

// update moves each centre that has points to their mean. It returns the number of labels
// that moved.
func (p *Paper) update(centres []float32, labels, nearest []int32) (moved int) {
	sums, sizes := make([]float64, len(centres)), make([]float64, p.k)
	for i, c := range nearest {
		if c != labels[i] {
			moved++
		}
		labels[i] = c
		sizes[c]++
		sum := sums[int(c)*p.dim : int(c+1)*p.dim]
		for j, x := range p.points[i*p.dim : (i+1)*p.dim] {
			sum[j] += float64(x)
		}
	}
	for v := range centres {
		if size := sizes[v/p.dim]; size > 0 {
			centres[v] = float32(sums[v] / size)
		}
	}
	return moved
}

// Close releases all objects of the program, the newest first.
func (p *Paper) Close() (err error) {
	for _, object := range slices.Backward(p.objects) {
		err = errors.Join(err, object.Release())
	}
	return err
}
